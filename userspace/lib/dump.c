// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"

/* Of what a dump may make this library remember, there is an end. */
#define FILE_MAX     (UINT64_C(1) << 30)
#define SECTIONS_MAX 4096
#define FINDINGS_MAX 1024

#define FIRST_READ 65536

#define HEADER(member)	offsetof(struct drm_fault_dump_header, member)
#define SECTION(member) offsetof(struct drm_fault_dump_section, member)

/* Offsets of VkDeviceFaultVendorBinaryHeaderVersionOneEXT, and its size. */
#define VENDOR_SIZE		0
#define VENDOR_VERSION		4
#define VENDOR_APPLICATION_NAME 36
#define VENDOR_ENGINE_NAME	44
#define VENDOR_HEADER_SIZE	56

static uint64_t align(uint64_t at)
{
	return (at + DUMP_ALIGN - 1) & ~(uint64_t)(DUMP_ALIGN - 1);
}

static bool has_magic(const uint8_t *bytes, uint64_t size, uint64_t at)
{
	return at <= size && size - at >= HEADER(version) &&
	       dump_number(bytes + at + HEADER(magic), 8) == DRM_FAULT_DUMP_MAGIC;
}

/* So that a name cannot be taken for the container. */
static uint64_t behind_name(const uint8_t *bytes, uint64_t size, uint64_t offset, uint64_t at)
{
	uint64_t end;

	offset = dump_number(bytes + offset, 4);
	if (offset < VENDOR_HEADER_SIZE || offset >= size)
		return at;
	end = offset + strnlen((const char *)bytes + offset, size - offset) + 1;
	return end > at ? end : at;
}

static bool find_in_vendor_binary(const uint8_t *bytes, uint64_t size, uint64_t *found)
{
	uint64_t at;

	if (size < VENDOR_HEADER_SIZE || dump_number(bytes + VENDOR_VERSION, 4) != 1)
		return false;
	at = dump_number(bytes + VENDOR_SIZE, 4);
	if (at < VENDOR_HEADER_SIZE)
		return false;
	at = behind_name(bytes, size, VENDOR_APPLICATION_NAME, at);
	at = behind_name(bytes, size, VENDOR_ENGINE_NAME, at);
	for (at = align(at); at < size; at += DUMP_ALIGN) {
		if (!has_magic(bytes, size, at))
			continue;
		*found = at;
		return true;
	}
	return false;
}

int dump_find(const uint8_t *bytes, uint64_t size, uint64_t *at, enum drmfault_dump_form *form)
{
	if (has_magic(bytes, size, 0)) {
		*at = 0;
		*form = DRMFAULT_DUMP_PLAIN;
		return 0;
	}
	*form = DRMFAULT_DUMP_VENDOR_BINARY;
	return find_in_vendor_binary(bytes, size, at) ? 0 : -EBADMSG;
}

/* Makes room for one more of @size bytes where @count is a power of two. */
static int grow(void **list, size_t count, size_t size)
{
	void *longer;

	if (count & (count - 1))
		return 0;
	longer = realloc(*list, (count ? 2 * count : 1) * size);
	if (!longer)
		return -ENOMEM;
	*list = longer;
	return 0;
}

int dump_complain(struct drmfault_dump *dump, enum drmfault_dump_damage damage, uint32_t section,
		  uint64_t offset)
{
	void *list = dump->findings;
	int ret;

	if (dump->finding_count == FINDINGS_MAX) {
		dump->findings[FINDINGS_MAX - 1].damage = DRMFAULT_DAMAGE_TOO_MUCH;
		return 0;
	}
	ret = grow(&list, dump->finding_count, sizeof(*dump->findings));
	if (ret)
		return ret;
	dump->findings = list;
	dump->findings[dump->finding_count++] = (struct drmfault_dump_finding){
		.size = sizeof(*dump->findings),
		.damage = damage,
		.section = section,
		.offset = offset,
	};
	return 0;
}

static int complain_of_header(struct drmfault_dump *dump, enum drmfault_dump_damage damage,
			      uint64_t offset)
{
	return dump_complain(dump, damage, DRMFAULT_DUMP_HEADER, offset);
}

/* The checksum is of the header with zeros in its own place. */
static bool header_is_sound(const uint8_t *header, uint64_t size)
{
	static const uint8_t zeros[4];
	uint32_t crc = dump_crc(0, header, HEADER(crc));

	crc = dump_crc(crc, zeros, sizeof(zeros));
	crc = dump_crc(crc, header + HEADER(crc) + sizeof(zeros),
		       size - HEADER(crc) - sizeof(zeros));
	return crc == dump_number(header + HEADER(crc), 4);
}

/* Where the sections are, and whether the header can be believed. */
static int scan_header(struct drmfault_dump *dump, uint64_t at, uint64_t *first, uint64_t *end)
{
	const uint8_t *header = dump->bytes + at;
	uint64_t there = dump->size - at, size, total;
	int ret = 0;

	*first = *end = dump->size;
	if (there < sizeof(struct drm_fault_dump_header)) {
		dump->cut_off = true;
		return complain_of_header(dump, DRMFAULT_DAMAGE_CUT_OFF, dump->size);
	}
	size = dump_number(header + HEADER(header_size), 4);
	total = dump_number(header + HEADER(total_size), 8);
	if (size < sizeof(struct drm_fault_dump_header) || size % DUMP_ALIGN || size > total) {
		ret = complain_of_header(dump, DRMFAULT_DAMAGE_HEADER, at + HEADER(header_size));
		size = sizeof(struct drm_fault_dump_header);
	}
	if (!ret && size <= there && !header_is_sound(header, size))
		ret = complain_of_header(dump, DRMFAULT_DAMAGE_CHECKSUM, at);
	if (!ret && total > there) {
		dump->cut_off = true;
		ret = complain_of_header(dump, DRMFAULT_DAMAGE_CUT_OFF, dump->size);
	} else if (!ret && total < there && total >= size) {
		*end = at + total;
		ret = complain_of_header(dump, DRMFAULT_DAMAGE_TRAILING, *end);
	}
	if (size < there)
		*first = at + size;
	return ret;
}

static bool is_zero(const uint8_t *bytes, uint64_t size)
{
	while (size && !*bytes) {
		bytes++;
		size--;
	}
	return !size;
}

static int check_section(struct drmfault_dump *dump, const struct dump_section *section,
			 uint64_t end)
{
	uint32_t number = (uint32_t)dump->section_count - 1;
	uint64_t last = section->at + section->length, next = align(last);
	int ret = 0;

	if (section->cut_off) {
		dump->cut_off = true;
		return dump_complain(dump, DRMFAULT_DAMAGE_CUT_OFF, number, last);
	}
	if (dump_crc(0, dump->bytes + section->at, section->length) != section->crc)
		ret = dump_complain(dump, DRMFAULT_DAMAGE_CHECKSUM, number, section->at);
	if (next > end)
		next = end;
	if (!ret && !is_zero(dump->bytes + last, next - last))
		ret = dump_complain(dump, DRMFAULT_DAMAGE_GAP, number, last);
	return ret;
}

/* The section whose header is at *@at; *@at is then where the next one is. */
static int scan_section(struct drmfault_dump *dump, uint64_t *at, uint64_t end)
{
	const uint8_t *header = dump->bytes + *at;
	uint64_t length = dump_number(header + SECTION(length), 8);
	struct dump_section *section;
	void *list = dump->sections;
	int ret = grow(&list, dump->section_count, sizeof(*section));

	if (ret)
		return ret;
	dump->sections = list;
	section = &dump->sections[dump->section_count++];
	*section = (struct dump_section){
		.type = (uint32_t)dump_number(header + SECTION(type), 4),
		.flags = (uint32_t)dump_number(header + SECTION(flags), 4),
		.crc = (uint32_t)dump_number(header + SECTION(crc), 4),
		.at = *at + sizeof(struct drm_fault_dump_section),
	};
	section->cut_off = length > end - section->at;
	section->length = section->cut_off ? end - section->at : length;
	/* Counted from the container's begin, which is aligned in the file. */
	*at = align(section->at + section->length);
	return check_section(dump, section, end);
}

int dump_scan(struct drmfault_dump *dump, uint64_t start)
{
	uint64_t at, end;
	int ret = scan_header(dump, start, &at, &end);

	while (!ret && at < end && end - at >= sizeof(struct drm_fault_dump_section)) {
		if (dump->section_count == SECTIONS_MAX) {
			dump->cut_off = true;
			return complain_of_header(dump, DRMFAULT_DAMAGE_TOO_MUCH, at);
		}
		ret = scan_section(dump, &at, end);
	}
	if (ret || dump->cut_off)
		return ret;
	if (at < end)
		return complain_of_header(dump, DRMFAULT_DAMAGE_TRAILING, at);
	if (dump->section_count != dump_number(dump->bytes + start + HEADER(section_count), 4))
		return complain_of_header(dump, DRMFAULT_DAMAGE_SECTION_COUNT,
					  start + HEADER(section_count));
	return 0;
}

/* Takes @bytes, also when it fails. */
static int open_bytes(uint8_t *bytes, uint64_t size, struct drmfault_dump **dump)
{
	struct drmfault_dump *d;
	enum drmfault_dump_form form;
	uint64_t at, version;
	int ret = dump_find(bytes, size, &at, &form);

	if (!ret && size - at >= HEADER(header_size)) {
		version = dump_number(bytes + at + HEADER(version), 4);
		ret = version > DRM_FAULT_DUMP_VERSION ? -EPROTONOSUPPORT : 0;
	}
	d = ret ? NULL : calloc(1, sizeof(*d));
	if (!d) {
		free(bytes);
		return ret ? ret : -ENOMEM;
	}
	d->bytes = bytes;
	d->size = size;
	d->form = form;
	ret = dump_scan(d, at);
	if (!ret)
		ret = dump_load(d);
	if (ret) {
		drmfault_dump_free(d);
		return ret;
	}
	*dump = d;
	return 0;
}

DRMFAULT_API int drmfault_dump_open_memory(const void *bytes, size_t size,
					   struct drmfault_dump **dump)
{
	uint8_t *copy;

	if (size > FILE_MAX)
		return -EFBIG;
	copy = malloc(size ? size : 1);
	if (!copy)
		return -ENOMEM;
	if (size)
		memcpy(copy, bytes, size);
	return open_bytes(copy, size, dump);
}

static int read_all(int fd, uint8_t **bytes, size_t *size)
{
	size_t room = FIRST_READ;
	uint8_t *longer;
	ssize_t n;

	*size = 0;
	*bytes = malloc(room);
	while (*bytes) {
		n = read(fd, *bytes + *size, room - *size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		*size += (size_t)n;
		if (*size < room)
			continue;
		if (room > FILE_MAX)
			return -EFBIG;
		room *= 2;
		longer = realloc(*bytes, room);
		if (!longer)
			return -ENOMEM;
		*bytes = longer;
	}
	return -ENOMEM;
}

DRMFAULT_API int drmfault_dump_open_fd(int fd, struct drmfault_dump **dump)
{
	uint8_t *bytes;
	size_t size;
	int ret = read_all(fd, &bytes, &size);

	if (ret || size > FILE_MAX) {
		free(bytes);
		return ret ? ret : -EFBIG;
	}
	return open_bytes(bytes, size, dump);
}

DRMFAULT_API int drmfault_dump_open(const char *path, struct drmfault_dump **dump)
{
	int ret, fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = drmfault_dump_open_fd(fd, dump);
	close(fd);
	return ret;
}

DRMFAULT_API void drmfault_dump_free(struct drmfault_dump *dump)
{
	if (!dump)
		return;
	drmfault_snapshot_free(dump->snapshot);
	free(dump->host_lines);
	free(dump->host);
	free(dump->findings);
	free(dump->sections);
	free(dump->bytes);
	free(dump);
}
