#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Tables out of Vulkan's registry, the one that the headers were made from:

lost	LOST(name, parameters, arguments, handle) of every command of a device, queue
	or command buffer that can return VK_ERROR_DEVICE_LOST
call	CALL(name, handle, arguments) of every such command, also of those with a file of
	their own: arguments are zeros, but for the handle. For tests.
chain	CHAIN(type, structure) of every structure that may extend VkDeviceCreateInfo

Arguments: the table, the registry, the header. The registry has more than the header:
other platforms, Vulkan SC, what is provisional.
"""
import re
import sys
import xml.etree.ElementTree as ET

# Whose other work the layer does in the same call, in files of their own.
OWN = {"vkCreateDevice", "vkQueueBindSparse", "vkWaitForFences", "vkWaitSemaphores", "vkWaitSemaphoresKHR",
       "vkQueueWaitIdle", "vkDeviceWaitIdle", "vkQueueSubmit", "vkQueueSubmit2", "vkQueueSubmit2KHR",
       "vkGetFenceStatus", "vkGetSemaphoreCounterValue", "vkGetSemaphoreCounterValueKHR"}
DISPATCHABLE = {"VkDevice", "VkQueue", "VkCommandBuffer"}


def words_of(header):
    """What the header declares, as it is without its provisional parts."""
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"#ifdef VK_ENABLE_BETA_EXTENSIONS\n.*?#endif", "", file.read(), flags=re.S)
    return set(re.findall(r"\w+", text))


def declaration(parameter):
    return " ".join("".join(parameter.itertext()).split())


def commands_that_lose(root, known):
    commands = {c.find("proto/name").text: c for c in root.iter("command") if c.find("proto") is not None}
    names = dict(commands)
    for command in root.iter("command"):
        if command.get("alias") in commands:
            names[command.get("name")] = commands[command.get("alias")]
    for name in sorted(names):
        command = names[name]
        if name not in known or "VK_ERROR_DEVICE_LOST" not in command.get("errorcodes", "").split(","):
            continue
        parameters = [p for p in command.findall("param") if p.get("api", "vulkan") == "vulkan"]
        if parameters[0].find("type").text in DISPATCHABLE:
            yield name, parameters


def lost(root, known):
    for name, parameters in commands_that_lose(root, known):
        if name in OWN:
            continue
        arguments = [p.find("name").text for p in parameters]
        yield (f"LOST({name}, ({', '.join(map(declaration, parameters))}), "
               f"({', '.join(arguments)}), {arguments[0]})")


def zero(parameter):
    name = parameter.find("name").text
    return f"({declaration(parameter).replace(name, '')}){{0}}"


def call(root, known):
    for name, parameters in commands_that_lose(root, known):
        handle = parameters[0].find("type").text
        yield f"CALL({name}, {handle}, ({', '.join(['(' + handle + ')handle', *map(zero, parameters[1:])])}))"


def chain(root, known):
    for structure in root.iter("type"):
        name = structure.get("name")
        extends = structure.get("structextends", "").split(",")
        if name not in known or structure.get("alias") or "VkDeviceCreateInfo" not in extends:
            continue
        member = structure.find("member[@values]")
        if member is not None and member.get("values") in known:
            yield f"CHAIN({member.get('values')}, {name})"


def main():
    root = ET.parse(sys.argv[2]).getroot()
    lines = {"lost": lost, "call": call, "chain": chain}[sys.argv[1]](root, words_of(sys.argv[3]))
    print("/* Made from the registry of Vulkan. */", *lines, sep="\n")


if __name__ == "__main__":
    main()
