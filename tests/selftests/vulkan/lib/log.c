// SPDX-License-Identifier: MIT
/* What messengers are told: ranges of addresses, and what the validation layer finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

/*
 * The layer wants the device extension, which cannot be enabled before there is a
 * device, for a messenger of this type: a mistake of its, mended since.
 */
#define FALSE_ALARM "VUID-VkDebugUtilsMessengerCreateInfoEXT-messageType-parameter"

/* How a layer that is older than VK_KHR_device_fault speaks of it. */
static const char *const unknown_extension[] = {
	"unknown VkStructureType (1000573",
	"VK_KHR_device_fault is not a known extension",
};

struct app_log app_log;

bool app_is_validated(void)
{
	const char *layers = getenv("VK_INSTANCE_LAYERS");

	return layers && strstr(layers, "VK_LAYER_KHRONOS_validation");
}

/* The conformance tests take the first structure of the chain, and so may others. */
static void log_binding(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
			VkDebugUtilsMessageTypeFlagsEXT types,
			const VkDebugUtilsMessengerCallbackDataEXT *data)
{
	const VkDeviceAddressBindingCallbackDataEXT *binding = data->pNext;
	struct app_binding *b = &app_log.bindings[app_log.binding_count];

	if (app_log.binding_count == APP_MAX_BINDINGS)
		return;
	app_log.binding_count++;
	memset(b, 0, sizeof(*b));
	if (!binding || data->objectCount != 1 ||
	    binding->sType != VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT)
		return;
	b->type = binding->bindingType;
	b->flags = binding->flags;
	b->address = binding->baseAddress;
	b->size = binding->size;
	b->object_type = data->pObjects[0].objectType;
	b->object = data->pObjects[0].objectHandle;
	if (data->pObjects[0].pObjectName)
		snprintf(b->name, sizeof(b->name), "%s", data->pObjects[0].pObjectName);
	b->sound = types == VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT &&
		   severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT && !data->pMessage;
}

static VkBool32 VKAPI_CALL note_binding(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
					VkDebugUtilsMessageTypeFlagsEXT types,
					const VkDebugUtilsMessengerCallbackDataEXT *data,
					void *user)
{
	(void)user;
	log_binding(severity, types, data);
	return VK_FALSE;
}

static bool is_noise(const char *id, const char *text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unknown_extension); i++)
		if (strstr(text, unknown_extension[i]))
			return true;
	return !strcmp(id, FALSE_ALARM);
}

static VkBool32 VKAPI_CALL note(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
				VkDebugUtilsMessageTypeFlagsEXT types,
				const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	const char *id = data->pMessageIdName ? data->pMessageIdName : "-";
	const char *text = data->pMessage ? data->pMessage : "-";

	(void)severity;
	(void)types;
	(void)user;
	if (is_noise(id, text) || app_log.message_count == APP_MAX_MESSAGES)
		return VK_FALSE;
	printf("# message %s: %.600s\n", id, text);
	snprintf(app_log.messages[app_log.message_count++], sizeof(app_log.messages[0]), "%s", id);
	return VK_FALSE;
}

static const VkDebugUtilsMessengerCreateInfoEXT message_info = {
	.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
		       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
	.pfnUserCallback = note,
};

static const VkDebugUtilsMessengerCreateInfoEXT binding_info = {
	.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
	.pfnUserCallback = note_binding,
};

void app_log_open(struct app *app)
{
	PFN_vkCreateDebugUtilsMessengerEXT create =
		(PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
			app->instance, "vkCreateDebugUtilsMessengerEXT");

	memset(&app_log, 0, sizeof(app_log));
	assert_non_null(create);
	assert_int_equal(create(app->instance, &message_info, NULL, &app->messenger), VK_SUCCESS);
	assert_int_equal(create(app->instance, &binding_info, NULL, &app->binding_messenger),
			 VK_SUCCESS);
}

void app_log_close(struct app *app)
{
	PFN_vkDestroyDebugUtilsMessengerEXT destroy =
		(PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
			app->instance, "vkDestroyDebugUtilsMessengerEXT");

	destroy(app->instance, app->binding_messenger, NULL);
	destroy(app->instance, app->messenger, NULL);
}
