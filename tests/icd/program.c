// SPDX-License-Identifier: MIT
/*
 * VK_NVX_binary_import: programs of the application in the GPU's instructions,
 * for this GPU knows no SPIR-V.
 *
 * A module is words of <drm/drm_fault_sim.h>, up to 64 KiB, that end with
 * DRM_FAULT_SIM_END. A jump to below 64 KiB, where nothing is ever mapped, is one
 * within the module, from its beginning. The only function is "main", at the
 * first word. A launch is a job of its own for each block of the grid, one after
 * the other: parameter i, 64 bits wide, is in register i, and the last register
 * has the number of the block.
 */
#include <string.h>

#include "icd.h"

#define MAX_SIZE   0x10000
#define IMMEDIATE  ((1ULL << DRM_FAULT_SIM_ADDRESS_BITS) - 1)
#define BLOCK	   (DRM_FAULT_SIM_REGISTERS - 1)
#define MAX_PARAMS BLOCK

static void relocate(uint64_t *words, size_t count, uint64_t address)
{
	size_t i;

	for (i = 0; i < count; i++) {
		unsigned int opcode = (unsigned int)(words[i] >> 56);

		if ((opcode == DRM_FAULT_SIM_OP_JUMP || opcode == DRM_FAULT_SIM_OP_JUMP_NONZERO) &&
		    (words[i] & IMMEDIATE) < MAX_SIZE)
			words[i] += address;
	}
}

VkResult icd_CreateCuModuleNVX(VkDevice handle, const VkCuModuleCreateInfoNVX *pCreateInfo,
			       const VkAllocationCallbacks *pAllocator, VkCuModuleNVX *pModule)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	const VkAllocationCallbacks *alloc = pAllocator ? pAllocator : &device->alloc;
	size_t size = pCreateInfo->dataSize;
	struct icd_module *module;
	VkResult result;

	if (!size || size > MAX_SIZE || size % sizeof(uint64_t))
		return VK_ERROR_INITIALIZATION_FAILED;
	module = icd_object_create(alloc, sizeof(*module), VK_OBJECT_TYPE_CU_MODULE_NVX);
	if (!module)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = icd_bo_create(device, size, ICD_ZONE_CODE, &module->bo);
	if (result) {
		icd_object_destroy(alloc, module);
		return result;
	}
	memcpy(module->bo.cpu, pCreateInfo->pData, size);
	relocate(module->bo.cpu, size / sizeof(uint64_t), module->bo.address);
	icd_report_binding(device, &module->object, module->bo.address, module->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, 0);
	*pModule = ICD_HANDLE(VkCuModuleNVX, module);
	return VK_SUCCESS;
}

void icd_DestroyCuModuleNVX(VkDevice handle, VkCuModuleNVX module_handle,
			    const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_module *module = ICD_OBJECT(module, module_handle);

	if (!module)
		return;
	icd_report_binding(device, &module->object, module->bo.address, module->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, 0);
	icd_bo_destroy(device, &module->bo);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, module);
}

VkResult icd_CreateCuFunctionNVX(VkDevice handle, const VkCuFunctionCreateInfoNVX *pCreateInfo,
				 const VkAllocationCallbacks *pAllocator,
				 VkCuFunctionNVX *pFunction)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_function *function;

	if (strcmp(pCreateInfo->pName, "main"))
		return VK_ERROR_INITIALIZATION_FAILED;
	function = icd_object_create(pAllocator ? pAllocator : &device->alloc, sizeof(*function),
				     VK_OBJECT_TYPE_CU_FUNCTION_NVX);
	if (!function)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	function->entry = ICD_OBJECT(module, pCreateInfo->module)->bo.address;
	*pFunction = ICD_HANDLE(VkCuFunctionNVX, function);
	return VK_SUCCESS;
}

void icd_DestroyCuFunctionNVX(VkDevice handle, VkCuFunctionNVX function,
			      const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);

	icd_object_destroy(pAllocator ? pAllocator : &device->alloc,
			   ICD_OBJECT(function, function));
}

static void record_set(struct icd_command_buffer *cmd, unsigned int reg, uint64_t value)
{
	const uint64_t words[] = {
		DRM_FAULT_SIM_SET(reg, value),
		DRM_FAULT_SIM_SET_HIGH(reg, value >> 48),
	};

	icd_record(cmd, words, ARRAY_SIZE(words));
}

void icd_CmdCuLaunchKernelNVX(VkCommandBuffer handle, const VkCuLaunchInfoNVX *pLaunchInfo)
{
	uint64_t blocks =
		(uint64_t)pLaunchInfo->gridDimX * pLaunchInfo->gridDimY * pLaunchInfo->gridDimZ;
	const struct icd_function *function = ICD_OBJECT(function, pLaunchInfo->function);
	const uint64_t jump = DRM_FAULT_SIM_JUMP(function->entry);
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);
	uint64_t block, value;
	unsigned int i;

	for (block = 0; block < blocks && !cmd->result; block++) {
		for (i = 0; i < pLaunchInfo->paramCount && i < MAX_PARAMS; i++) {
			memcpy(&value, pLaunchInfo->pParams[i], sizeof(value));
			record_set(cmd, i, value);
		}
		record_set(cmd, BLOCK, block);
		icd_record(cmd, &jump, 1);
		icd_record_program(cmd, 0);
	}
}
