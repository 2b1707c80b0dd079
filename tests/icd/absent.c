// SPDX-License-Identifier: MIT
/*
 * Objects that need images, shaders, descriptors, queries or events: none can be
 * made, so the commands that take them are not there either.
 */
#include <string.h>

#include "icd.h"

#define ABSENT(name, info_type, handle_type, error)                                              \
	VkResult icd_Create##name(VkDevice device, const info_type *pCreateInfo,                 \
				  const VkAllocationCallbacks *pAllocator, handle_type *pHandle) \
	{                                                                                        \
		(void)device;                                                                    \
		(void)pCreateInfo;                                                               \
		(void)pAllocator;                                                                \
		*pHandle = VK_NULL_HANDLE;                                                       \
		return error;                                                                    \
	}

#define NO_MEMORY VK_ERROR_OUT_OF_DEVICE_MEMORY

ABSENT(BufferView, VkBufferViewCreateInfo, VkBufferView, NO_MEMORY)
ABSENT(Image, VkImageCreateInfo, VkImage, NO_MEMORY)
ABSENT(ImageView, VkImageViewCreateInfo, VkImageView, NO_MEMORY)
ABSENT(Sampler, VkSamplerCreateInfo, VkSampler, NO_MEMORY)
ABSENT(SamplerYcbcrConversion, VkSamplerYcbcrConversionCreateInfo, VkSamplerYcbcrConversion,
       NO_MEMORY)
ABSENT(ShaderModule, VkShaderModuleCreateInfo, VkShaderModule, VK_ERROR_INVALID_SHADER_NV)
ABSENT(PipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache, NO_MEMORY)
ABSENT(PipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout, NO_MEMORY)
ABSENT(DescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout, NO_MEMORY)
ABSENT(DescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool, NO_MEMORY)
ABSENT(DescriptorUpdateTemplate, VkDescriptorUpdateTemplateCreateInfo, VkDescriptorUpdateTemplate,
       NO_MEMORY)
ABSENT(RenderPass, VkRenderPassCreateInfo, VkRenderPass, NO_MEMORY)
ABSENT(Framebuffer, VkFramebufferCreateInfo, VkFramebuffer, NO_MEMORY)
ABSENT(QueryPool, VkQueryPoolCreateInfo, VkQueryPool, NO_MEMORY)
ABSENT(Event, VkEventCreateInfo, VkEvent, NO_MEMORY)

static VkResult no_pipelines(uint32_t count, VkPipeline *pipelines)
{
	memset(pipelines, 0, count * sizeof(*pipelines));
	return VK_ERROR_INVALID_SHADER_NV;
}

VkResult icd_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
				    uint32_t createInfoCount,
				    const VkComputePipelineCreateInfo *pCreateInfos,
				    const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
	(void)device;
	(void)cache;
	(void)pCreateInfos;
	(void)pAllocator;
	return no_pipelines(createInfoCount, pPipelines);
}

VkResult icd_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
				     uint32_t createInfoCount,
				     const VkGraphicsPipelineCreateInfo *pCreateInfos,
				     const VkAllocationCallbacks *pAllocator,
				     VkPipeline *pPipelines)
{
	(void)device;
	(void)cache;
	(void)pCreateInfos;
	(void)pAllocator;
	return no_pipelines(createInfoCount, pPipelines);
}

void icd_GetDescriptorSetLayoutSupport(VkDevice device,
				       const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
				       VkDescriptorSetLayoutSupport *pSupport)
{
	(void)device;
	(void)pCreateInfo;
	pSupport->supported = VK_FALSE;
}
