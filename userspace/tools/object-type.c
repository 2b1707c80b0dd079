// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdio.h>

#include "object-type.h"

/* VkObjectType by its numbers: also those that the installed headers do not have yet. */
static const struct {
	uint32_t type;
	const char *name;
} types[] = {
	{ 1, "VkInstance" },
	{ 2, "VkPhysicalDevice" },
	{ 3, "VkDevice" },
	{ 4, "VkQueue" },
	{ 5, "VkSemaphore" },
	{ 6, "VkCommandBuffer" },
	{ 7, "VkFence" },
	{ 8, "VkDeviceMemory" },
	{ 9, "VkBuffer" },
	{ 10, "VkImage" },
	{ 11, "VkEvent" },
	{ 12, "VkQueryPool" },
	{ 13, "VkBufferView" },
	{ 14, "VkImageView" },
	{ 15, "VkShaderModule" },
	{ 16, "VkPipelineCache" },
	{ 17, "VkPipelineLayout" },
	{ 18, "VkRenderPass" },
	{ 19, "VkPipeline" },
	{ 20, "VkDescriptorSetLayout" },
	{ 21, "VkSampler" },
	{ 22, "VkDescriptorPool" },
	{ 23, "VkDescriptorSet" },
	{ 24, "VkFramebuffer" },
	{ 25, "VkCommandPool" },
	{ 1000000000, "VkSurfaceKHR" },
	{ 1000001000, "VkSwapchainKHR" },
	{ 1000002000, "VkDisplayKHR" },
	{ 1000002001, "VkDisplayModeKHR" },
	{ 1000011000, "VkDebugReportCallbackEXT" },
	{ 1000023000, "VkVideoSessionKHR" },
	{ 1000023001, "VkVideoSessionParametersKHR" },
	{ 1000029000, "VkCuModuleNVX" },
	{ 1000029001, "VkCuFunctionNVX" },
	{ 1000085000, "VkDescriptorUpdateTemplate" },
	{ 1000128000, "VkDebugUtilsMessengerEXT" },
	{ 1000150000, "VkAccelerationStructureKHR" },
	{ 1000156000, "VkSamplerYcbcrConversion" },
	{ 1000160000, "VkValidationCacheEXT" },
	{ 1000165000, "VkAccelerationStructureNV" },
	{ 1000210000, "VkPerformanceConfigurationINTEL" },
	{ 1000268000, "VkDeferredOperationKHR" },
	{ 1000277000, "VkIndirectCommandsLayoutNV" },
	{ 1000295000, "VkPrivateDataSlot" },
	{ 1000307000, "VkCudaModuleNV" },
	{ 1000307001, "VkCudaFunctionNV" },
	{ 1000366000, "VkBufferCollectionFUCHSIA" },
	{ 1000396000, "VkMicromapEXT" },
	{ 1000460000, "VkTensorARM" },
	{ 1000460001, "VkTensorViewARM" },
	{ 1000464000, "VkOpticalFlowSessionNV" },
	{ 1000482000, "VkShaderEXT" },
	{ 1000483000, "VkPipelineBinaryKHR" },
	{ 1000507000, "VkDataGraphPipelineSessionARM" },
	{ 1000572000, "VkIndirectCommandsLayoutEXT" },
	{ 1000572001, "VkIndirectExecutionSetEXT" },
};

const char *object_type_name(uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == type)
			return types[i].name;
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
