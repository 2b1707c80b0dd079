// SPDX-License-Identifier: MIT
/* Calls that the layer only looks at when they lose the device: they do nothing else. */
#include "mock.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define LOST(name, parameters, arguments, handle)                     \
	static VKAPI_ATTR VkResult VKAPI_CALL mock_##name parameters; \
	static VKAPI_ATTR VkResult VKAPI_CALL mock_##name parameters  \
	{                                                             \
		return mock_work(VK_SUCCESS);                         \
	}

#include "lost-commands.h"

#undef LOST
#define LOST(name, parameters, arguments, handle) MOCK_NAME(name),

PFN_vkVoidFunction mock_lost_function(const char *name)
{
	static const struct mock_name names[] = {
#include "lost-commands.h"
	};

	return MOCK_FIND(names, name);
}
