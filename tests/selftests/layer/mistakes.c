// SPDX-License-Identifier: MIT
/*
 * mistakes [MISTAKE]: a Vulkan application that makes a mistake, or none, and says its
 * process id, whether it has more rights than its user, which of the fault extensions it
 * was offered, and whether its device is lost.
 * Its buffers have names that it gave them, and lie between others.
 *
 *	MISTAKES_WAIT	anything: it begins when it has read a line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../vulkan/lib/app.h"

#define PAGE   DRM_FAULT_SIM_PAGE_SIZE
#define BEYOND 0x40
#define WITHIN 0x18

/* The registers that a launch sets: an address, and a value. */
static const uint64_t store[] = { DRM_FAULT_SIM_STORE(4, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t load[] = { DRM_FAULT_SIM_LOAD(8, 1, 0, 0), DRM_FAULT_SIM_END };

struct scene {
	struct app app;
	struct app_buffer before, object, after;
};

static void name(struct app *app, VkObjectType type, uint64_t handle, const char *text)
{
	const VkDebugUtilsObjectNameInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = type,
		.objectHandle = handle,
		.pObjectName = text,
	};

	assert_int_equal(app->set_name(app->device, &info), VK_SUCCESS);
}

static void add_buffer(struct app *app, const char *text, struct app_buffer *buffer)
{
	app_buffer_create(app, PAGE, buffer);
	name(app, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)buffer->buffer, text);
}

static void scene_open(struct scene *scene, const char *text)
{
	add_buffer(&scene->app, "constants", &scene->before);
	add_buffer(&scene->app, text, &scene->object);
	add_buffer(&scene->app, "vertices", &scene->after);
}

static VkResult use_after_free(struct scene *scene)
{
	uint64_t address = scene->object.address + WITHIN;
	VkResult result = app_run(&scene->app, load, ARRAY_SIZE(load), address, 0, NULL);

	app_buffer_destroy(&scene->app, &scene->object);
	return result ? result : app_run(&scene->app, load, ARRAY_SIZE(load), address, 0, NULL);
}

static VkResult out_of_bounds(struct scene *scene)
{
	return app_run(&scene->app, store, ARRAY_SIZE(store),
		       scene->object.address + scene->object.size + BEYOND, 42, NULL);
}

/* Programs are what the GPU may not write to. */
static VkResult read_only(struct scene *scene)
{
	struct app_program program;

	app_program_create(&scene->app, store, ARRAY_SIZE(store), &program);
	name(&scene->app, VK_OBJECT_TYPE_CU_MODULE_NVX, (uint64_t)(uintptr_t)program.module,
	     "collision kernel");
	return app_run(&scene->app, store, ARRAY_SIZE(store), program.address + 8, 42, NULL);
}

static VkResult execute(struct scene *scene)
{
	const uint64_t jump = DRM_FAULT_SIM_JUMP(scene->object.address + 0x100);

	return app_run(&scene->app, &jump, 1, 0, 0, NULL);
}

static VkResult null_base(struct scene *scene)
{
	return app_run(&scene->app, load, ARRAY_SIZE(load), WITHIN, 0, NULL);
}

static VkResult hang(struct scene *scene)
{
	static const uint64_t endless[] = { DRM_FAULT_SIM_JUMP(0) };
	VkCommandBuffer cmd = app_begin(&scene->app, 0);
	struct app_program program;

	app_program_create(&scene->app, endless, ARRAY_SIZE(endless), &program);
	name(&scene->app, VK_OBJECT_TYPE_CU_MODULE_NVX, (uint64_t)(uintptr_t)program.module,
	     "light kernel");
	app_launch(&scene->app, cmd, &program, NULL, 0);
	app_end(cmd);
	return app_submit(&scene->app, 0, cmd);
}

static VkResult no_mistake(struct scene *scene)
{
	return app_run(&scene->app, store, ARRAY_SIZE(store), scene->object.address, 42, NULL);
}

/* Another device of the instance, whose addresses are the same, goes wrong first. */
static VkResult second_device(struct scene *scene)
{
	struct scene other = { .app = scene->app };

	app_device_open(&other.app, APP_BINDINGS);
	scene_open(&other, "of the first");
	if (use_after_free(&other) != VK_ERROR_DEVICE_LOST)
		return VK_SUCCESS;
	app_device_close(&other.app);
	return out_of_bounds(scene);
}

static const struct {
	const char *name;
	VkResult (*make)(struct scene *scene);
} mistakes[] = {
	{ "use-after-free", use_after_free },
	{ "out-of-bounds", out_of_bounds },
	{ "read-only", read_only },
	{ "execute", execute },
	{ "null", null_base },
	{ "second-device", second_device },
	{ "hang", hang },
};

static VkResult make(struct scene *scene, const char *what)
{
	size_t i;

	for (i = 0; what && i < ARRAY_SIZE(mistakes); i++)
		if (!strcmp(mistakes[i].name, what))
			return mistakes[i].make(scene);
	return no_mistake(scene);
}

static void tell_offer(struct app *app, const char *extension)
{
	if (app_offers(app, extension))
		printf("%s\n", extension);
}

static void wait_for_line(void)
{
	char line[64];

	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	static struct scene scene;
	VkResult result;

	printf("pid %d\n", (int)getpid());
	if (getauxval(AT_SECURE))
		puts("secure");
	app_instance_open(&scene.app);
	tell_offer(&scene.app, VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
	tell_offer(&scene.app, VK_KHR_DEVICE_FAULT_EXTENSION_NAME);
	app_device_open(&scene.app,
			app_offers(&scene.app, VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME)
				? APP_BINDINGS
				: APP_PLAIN);
	scene_open(&scene, "particles");
	if (getenv("MISTAKES_WAIT"))
		wait_for_line();
	result = make(&scene, argc > 1 ? argv[1] : NULL);
	puts(result == VK_ERROR_DEVICE_LOST ? "lost" : result ? "failed" : "healthy");
	app_device_close(&scene.app);
	app_instance_close(&scene.app);
	return EXIT_SUCCESS;
}
