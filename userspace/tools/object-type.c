// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdio.h>

#include "object-type.h"

/* VkObjectType by its numbers: also those that the installed headers do not have yet. */
const struct drmfault_object_type object_types[] = {
	{ 1, 0, "VkInstance" },
	{ 2, 0, "VkPhysicalDevice" },
	{ 3, DRMFAULT_TRAIT_DRIVER, "VkDevice" },
	{ 4, 0, "VkQueue" },
	{ 5, 0, "VkSemaphore" },
	{ 6, DRMFAULT_TRAIT_COMMANDS, "VkCommandBuffer" },
	{ 7, 0, "VkFence" },
	{ 8, DRMFAULT_TRAIT_MEMORY, "VkDeviceMemory" },
	{ 9, 0, "VkBuffer" },
	{ 10, 0, "VkImage" },
	{ 11, 0, "VkEvent" },
	{ 12, 0, "VkQueryPool" },
	{ 13, 0, "VkBufferView" },
	{ 14, 0, "VkImageView" },
	{ 15, DRMFAULT_TRAIT_CODE, "VkShaderModule" },
	{ 16, 0, "VkPipelineCache" },
	{ 17, 0, "VkPipelineLayout" },
	{ 18, 0, "VkRenderPass" },
	{ 19, DRMFAULT_TRAIT_CODE, "VkPipeline" },
	{ 20, 0, "VkDescriptorSetLayout" },
	{ 21, 0, "VkSampler" },
	{ 22, 0, "VkDescriptorPool" },
	{ 23, 0, "VkDescriptorSet" },
	{ 24, 0, "VkFramebuffer" },
	{ 25, DRMFAULT_TRAIT_COMMANDS, "VkCommandPool" },
	{ 1000000000, 0, "VkSurfaceKHR" },
	{ 1000001000, 0, "VkSwapchainKHR" },
	{ 1000002000, 0, "VkDisplayKHR" },
	{ 1000002001, 0, "VkDisplayModeKHR" },
	{ 1000011000, 0, "VkDebugReportCallbackEXT" },
	{ 1000023000, 0, "VkVideoSessionKHR" },
	{ 1000023001, 0, "VkVideoSessionParametersKHR" },
	{ 1000029000, DRMFAULT_TRAIT_CODE, "VkCuModuleNVX" },
	{ 1000029001, DRMFAULT_TRAIT_CODE, "VkCuFunctionNVX" },
	{ 1000085000, 0, "VkDescriptorUpdateTemplate" },
	{ 1000128000, 0, "VkDebugUtilsMessengerEXT" },
	{ 1000150000, 0, "VkAccelerationStructureKHR" },
	{ 1000156000, 0, "VkSamplerYcbcrConversion" },
	{ 1000160000, 0, "VkValidationCacheEXT" },
	{ 1000165000, 0, "VkAccelerationStructureNV" },
	{ 1000210000, 0, "VkPerformanceConfigurationINTEL" },
	{ 1000268000, 0, "VkDeferredOperationKHR" },
	{ 1000277000, 0, "VkIndirectCommandsLayoutNV" },
	{ 1000295000, 0, "VkPrivateDataSlot" },
	{ 1000307000, DRMFAULT_TRAIT_CODE, "VkCudaModuleNV" },
	{ 1000307001, DRMFAULT_TRAIT_CODE, "VkCudaFunctionNV" },
	{ 1000366000, 0, "VkBufferCollectionFUCHSIA" },
	{ 1000396000, 0, "VkMicromapEXT" },
	{ 1000460000, 0, "VkTensorARM" },
	{ 1000460001, 0, "VkTensorViewARM" },
	{ 1000464000, 0, "VkOpticalFlowSessionNV" },
	{ 1000482000, DRMFAULT_TRAIT_CODE, "VkShaderEXT" },
	{ 1000483000, DRMFAULT_TRAIT_CODE, "VkPipelineBinaryKHR" },
	{ 1000507000, 0, "VkDataGraphPipelineSessionARM" },
	{ 1000572000, 0, "VkIndirectCommandsLayoutEXT" },
	{ 1000572001, 0, "VkIndirectExecutionSetEXT" },
};

const size_t object_type_count = sizeof(object_types) / sizeof(object_types[0]);

const char *object_type_name(uint32_t type)
{
	size_t i;

	for (i = 0; i < object_type_count; i++)
		if (object_types[i].type == type)
			return object_types[i].name;
	return NULL;
}

const char *object_type_text(uint32_t type, char text[OBJECT_TYPE_SIZE])
{
	const char *name = object_type_name(type);

	if (name)
		return name;
	snprintf(text, OBJECT_TYPE_SIZE, type ? "object of type %" PRIu32 : "object", type);
	return text;
}
