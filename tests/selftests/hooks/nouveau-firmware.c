// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the firmware (GSP-RM) tells nouveau of channels that failed.
 */
#include "kselftest_harness.h"
#include "nouveau.h"

#define MMU_FAULT	31
#define ADDRESS		0x00007f12345678f0ULL

/* The driver's receivers of the message, with the message of firmware 570 or before. */
static const struct receiver {
	const char *symbol;
	bool r570;
} receivers[] = {
	{ "nouveau:r570_fifo_rc_triggered", true },
	{ "nouveau:r535_fifo_rc_triggered", false },
	{ "nouveau:r535_gsp_msg_rc_triggered", false },
};

/**
 * struct message - what the firmware says
 */
struct message {
	__u32 engine;
	__u32 chid;
	__u32 gfid;
	__u32 level;
	__u32 error;
	__u32 scope;
	__u16 partition;
	__u64 address;
	__u32 type;
};

FIXTURE(nouveau_firmware) {
	struct nouveau nouveau;
	struct hooks *hooks;
	struct message message;
	__u64 channel;
	__u64 chan;
	__u64 text;
	const struct receiver *receivers[ARRAY_SIZE(receivers)];
	unsigned int count;
};

FIXTURE_SETUP(nouveau_firmware)
{
	unsigned int i;

	self->hooks = &self->nouveau.hooks;
	ASSERT_EQ(0, nouveau_setup(&self->nouveau));
	if (!self->nouveau.modern)
		SKIP(return, "this kernel's nouveau does not use the firmware");
	self->message = (struct message){
		.engine = 1, .chid = 0x28, .gfid = 3, .level = 2, .error = MMU_FAULT, .scope = 1,
		.partition = 0xabcd, .address = ADDRESS, .type = 2,
	};
	self->channel = nouveau_channel(&self->nouveau, NOUVEAU_INST);
	self->chan = nouveau_chan(&self->nouveau, NOUVEAU_INST);
	self->text = nouveau_structure(&self->nouveau);
	ASSERT_NE(0, self->chan);
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0));
	for (i = 0; i < ARRAY_SIZE(receivers); i++)
		if (hooks_symbol(self->hooks, receivers[i].symbol))
			self->receivers[self->count++] = &receivers[i];
	ASSERT_LE(1, self->count);
}

FIXTURE_TEARDOWN(nouveau_firmware)
{
	nouveau_teardown(&self->nouveau);
}

static __u32 write_message(struct _test_data_nouveau_firmware *self, bool r570)
{
	const struct message *message = &self->message;
	const __u32 old[] = {
		message->engine, message->chid, message->error, message->scope, message->partition,
	};
	const __u32 new[] = {
		message->engine, message->chid, message->gfid, message->level, message->error,
		message->scope, message->partition, message->address, message->address >> 32,
		message->type, 1, 0,
	};
	__u32 size = r570 ? sizeof(new) : sizeof(old);

	return hooks_write(self->hooks, self->text, r570 ? new : old, size) ? 0 : size;
}

/* The driver gets it, finds @chan and disables it, unless that is 0. */
static int tell(struct _test_data_nouveau_firmware *self, const struct receiver *receiver,
		__u64 chan)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(receiver->symbol, 0, self->nouveau.gsp, 0x1004, self->text,
				    write_message(self, receiver->r570)),
		.inner = {
			HOOKS_STEP("nouveau:nvkm_chan_error", 0, chan, 0),
			HOOKS_STEP("nouveau:nouveau_channel_killed", 0,
				   nouveau_kill(self->channel), 0, 0),
		},
		.inner_count = chan ? 2 : 0,
	};

	return hooks_make(self->hooks, &make);
}

static void want_message(struct _test_data_nouveau_firmware *self, bool r570,
			 struct drm_fault_record *want)
{
	const struct message *message = &self->message;

	want->flags |= DRM_FAULT_RECORD_F_FATAL;
	want->raw_format = DRM_FAULT_RAW_NOUVEAU_GSP;
	want->raw_count = 4;
	want->raw[0] = (__u64)message->error << 32 | message->engine;
	want->raw[1] = message->chid;
	want->raw[2] = (__u64)message->partition << 32 | message->scope;
	if (!r570)
		return;
	want->raw[1] |= (__u64)message->type << 32;
	want->raw[3] = (__u64)message->level << 32 | message->gfid;
}

static void want_fault(struct _test_data_nouveau_firmware *self, bool r570,
		       struct drm_fault_record *want)
{
	want_message(self, r570, want);
	want->engine_class = DRM_FAULT_ENGINE_RENDER;
	strcpy(want->engine, "gr");
	want->fault_type = DRM_FAULT_TYPE_OTHER;
	if (!r570)
		return;
	want->address = self->message.address;
	want->address_precision = 4096;
	want->fault_type = DRM_FAULT_TYPE_NOT_PRESENT;
	want->level = 1;
}

TEST_F(nouveau_firmware, fault_of_a_channel)
{
	const struct receiver *receiver;
	struct drm_fault_record want, record;
	unsigned int at;

	for (at = 0; at < self->count; at++) {
		receiver = self->receivers[at];
		want = hooks_want(self->hooks);
		want_fault(self, receiver->r570, &want);
		ASSERT_EQ(0, tell(self, receiver, self->chan));
		ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
		EXPECT_EQ(0, hooks_differ(&want, &record));
		/* That the channel is killed is in it. */
		EXPECT_NO_RECORD(self->hooks->own);
		self->message.address += 4096;
	}
}

TEST_F(nouveau_firmware, channel_that_is_not_found)
{
	const struct receiver *receiver;
	struct drm_fault_record want, record;
	unsigned int at;

	for (at = 0; at < self->count; at++) {
		receiver = self->receivers[at];
		want = hooks_want_unowned(self->hooks);
		want_fault(self, receiver->r570, &want);
		ASSERT_EQ(0, tell(self, receiver, 0));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_EQ(0, hooks_differ(&want, &record));
		EXPECT_NO_RECORD(self->hooks->own);
		self->message.address += 4096;
	}
}

TEST_F(nouveau_firmware, each_engine)
{
	static const struct {
		__u32 type;
		__u32 class;
		__u32 instance;
		const char *name;
	} engines[] = {
		{ 0x01, DRM_FAULT_ENGINE_RENDER, 0, "gr" },
		{ 0x08, DRM_FAULT_ENGINE_RENDER, 7, "gr7" },
		{ 0x09, DRM_FAULT_ENGINE_COPY, 0, "ce0" },
		{ 0x12, DRM_FAULT_ENGINE_COPY, 9, "ce9" },
		{ 0x13, DRM_FAULT_ENGINE_VIDEO_DECODE, 0, "nvdec0" },
		{ 0x1a, DRM_FAULT_ENGINE_VIDEO_DECODE, 7, "nvdec7" },
		{ 0x1d, DRM_FAULT_ENGINE_VIDEO_ENCODE, 2, "nvenc2" },
		{ 0x26, DRM_FAULT_ENGINE_OTHER, 0, "sec2" },
		{ 0x32, DRM_FAULT_ENGINE_OTHER, 7, "nvjpg7" },
		{ 0x33, DRM_FAULT_ENGINE_OTHER, 0, "ofa0" },
		{ 0x34, DRM_FAULT_ENGINE_COPY, 10, "ce10" },
		{ 0x3d, DRM_FAULT_ENGINE_COPY, 19, "ce19" },
		{ 0x3e, DRM_FAULT_ENGINE_OTHER, 1, "ofa1" },
		{ 0x00, 0, 0, "" },
		{ 0x3f, 0, 0, "" },
	};
	const struct receiver *receiver;
	struct drm_fault_record record;
	unsigned int at, i;

	for (at = 0; at < self->count; at++) {
		receiver = self->receivers[at];
		for (i = 0; i < ARRAY_SIZE(engines); i++) {
			self->message.engine = engines[i].type;
			self->message.address += 4096;
			ASSERT_EQ(0, tell(self, receiver, self->chan));
			ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
			EXPECT_EQ(engines[i].class, record.engine_class);
			EXPECT_EQ(engines[i].instance, record.engine_instance);
			EXPECT_STREQ(engines[i].name, record.engine);
		}
	}
}

TEST_F(nouveau_firmware, what_is_no_fault)
{
	static const struct {
		__u32 error;
		__u32 type;
		__u32 flags;
	} errors[] = {
		{ 8, DRM_FAULT_RECORD_TIMEOUT, DRM_FAULT_RECORD_F_GUILTY },
		{ 109, DRM_FAULT_RECORD_TIMEOUT, DRM_FAULT_RECORD_F_GUILTY },
		{ 13, DRM_FAULT_RECORD_RESET, 0 },
		{ 32, DRM_FAULT_RECORD_RESET, 0 },
		{ 0, DRM_FAULT_RECORD_RESET, 0 },
	};
	const struct receiver *receiver;
	struct drm_fault_record want, record;
	unsigned int at, i;

	for (at = 0; at < self->count; at++) {
		receiver = self->receivers[at];
		for (i = 0; i < ARRAY_SIZE(errors); i++) {
			self->message.error = errors[i].error;
			want = hooks_want(self->hooks);
			want_message(self, receiver->r570, &want);
			want.type = errors[i].type;
			want.flags |= errors[i].flags;
			want.engine_class = DRM_FAULT_ENGINE_RENDER;
			strcpy(want.engine, "gr");
			ASSERT_EQ(0, tell(self, receiver, self->chan));
			ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
			EXPECT_EQ(0, hooks_differ(&want, &record));
			EXPECT_NO_RECORD(self->hooks->own);
		}
	}
}

TEST_F(nouveau_firmware, messages_that_are_cut)
{
	const struct receiver *receiver;
	unsigned int at;

	for (at = 0; at < self->count; at++) {
		receiver = self->receivers[at];
		write_message(self, receiver->r570);
		ASSERT_EQ(0, hooks_call(self->hooks, receiver->symbol, 0, self->nouveau.gsp, 0,
					self->text, receiver->r570 ? 39 : 19));
		ASSERT_EQ(0, hooks_call(self->hooks, receiver->symbol, 0, self->nouveau.gsp, 0,
					0, 64));
	}
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_HARNESS_MAIN
