// SPDX-License-Identifier: GPL-2.0-only
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core.h"

#define DRM_FAULT_PID_BITS	8

/* All streams of the machine: what one event can cost, and memory, have an end. */
#define DRM_FAULT_STREAMS_MAX	1024

/* So many of them are for those who may see all: users cannot shut these out. */
#define DRM_FAULT_STREAMS_RESERVED	64

/* Protects the lists of streams and all changes to the lists below. */
static DEFINE_MUTEX(drm_fault_streams_lock);
static LIST_HEAD(drm_fault_streams);

/* Those that wait to be freed still count, as their memory does. */
static LIST_HEAD(drm_fault_streams_closed);

/* Where the report path finds them, under RCU; others hang on reporters and clients. */
static struct hlist_head drm_fault_streams_all;
static struct hlist_head drm_fault_streams_pid[1 << DRM_FAULT_PID_BITS];

static struct hlist_head *drm_fault_streams_of_pid(const struct pid *pid)
{
	return &drm_fault_streams_pid[hash_ptr(pid, DRM_FAULT_PID_BITS)];
}

static void drm_fault_stream_push(struct drm_fault_stream *stream,
				  const struct drm_fault_context *context,
				  struct drm_fault_record *record, bool repeat)
{
	record->pid = drm_fault_view_pid(&stream->view, context);
	raw_spin_lock(&stream->lock);
	drm_fault_queue_push(&stream->queue, record, repeat);
	raw_spin_unlock(&stream->lock);
	irq_work_queue(&stream->wake);
}

static void drm_fault_streams_push_list(struct hlist_head *list,
					const struct drm_fault_context *context,
					struct drm_fault_record *record, bool repeat)
{
	struct drm_fault_stream *stream;

	hlist_for_each_entry_rcu(stream, list, node)
		if (drm_fault_view_has(&stream->view, context))
			drm_fault_stream_push(stream, context, record, repeat);
}

/**
 * drm_fault_streams_push - hand an event to all who may read it
 * @context: where it happened
 * @record: the event; its pid is as the last reader counts afterwards
 * @repeat: its record was pushed before
 *
 * Context: Any but NMI, under RCU, interrupts off, @context's lock held.
 */
void drm_fault_streams_push(const struct drm_fault_context *context,
			    struct drm_fault_record *record, bool repeat)
{
	const struct drm_fault_owner *owner = rcu_dereference(context->owner);

	lockdep_assert_held(&context->lock);
	drm_fault_streams_push_list(&drm_fault_streams_all, context, record, repeat);
	drm_fault_streams_push_list(&context->reporter->streams, context, record, repeat);
	if (context->client)
		drm_fault_streams_push_list(&context->client->streams, context, record,
					    repeat);
	if (owner)
		drm_fault_streams_push_list(drm_fault_streams_of_pid(owner->pid),
					    context, record, repeat);
}

static void drm_fault_stream_wake(struct irq_work *work)
{
	struct drm_fault_stream *stream =
		container_of(work, struct drm_fault_stream, wake);

	wake_up_interruptible_poll(&stream->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * drm_fault_streams_hang_up - wake the readers of streams whose GPU has gone
 *
 * Context: Process, may sleep.
 */
void drm_fault_streams_hang_up(void)
{
	struct drm_fault_stream *stream;

	mutex_lock(&drm_fault_streams_lock);
	list_for_each_entry(stream, &drm_fault_streams, all)
		if (drm_fault_view_gone(&stream->view))
			wake_up_interruptible_poll(&stream->wait, EPOLLHUP | EPOLLERR);
	mutex_unlock(&drm_fault_streams_lock);
}

/* Copies what waits, whole records only. Returns bytes, or an error if there are none. */
static ssize_t drm_fault_stream_drain(struct drm_fault_stream *stream, char __user *buf,
				      size_t size)
{
	struct drm_fault_record record;
	size_t done = 0;

	lockdep_assert_held(&stream->read_lock);
	while (size - done >= sizeof(record) &&
	       drm_fault_queue_claim(&stream->queue, &record)) {
		if (copy_to_user(buf + done, &record, sizeof(record))) {
			drm_fault_queue_unclaim(&stream->queue, &record);
			return done ?: -EFAULT;
		}
		drm_fault_queue_consume(&stream->queue, &record);
		done += sizeof(record);
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return done;
}

static bool drm_fault_stream_ready(const struct drm_fault_stream *stream)
{
	return !drm_fault_queue_empty(&stream->queue) ||
	       drm_fault_view_gone(&stream->view);
}

static ssize_t drm_fault_stream_read(struct file *file, char __user *buf, size_t size,
				     loff_t *pos)
{
	struct drm_fault_stream *stream = file->private_data;
	ssize_t ret;
	bool gone;

	if (size < sizeof(struct drm_fault_record))
		return -EINVAL;

	for (;;) {
		if (mutex_lock_interruptible(&stream->read_lock))
			return -ERESTARTSYS;
		/* In this order: what was queued before the end is read before it. */
		gone = drm_fault_view_gone(&stream->view);
		ret = drm_fault_stream_drain(stream, buf, size);
		mutex_unlock(&stream->read_lock);
		if (ret)
			return ret;
		if (gone)
			return -ENODEV;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(stream->wait,
					       drm_fault_stream_ready(stream));
		if (ret)
			return ret;
	}
}

static __poll_t drm_fault_stream_poll(struct file *file, poll_table *wait)
{
	struct drm_fault_stream *stream = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &stream->wait, wait);
	if (drm_fault_view_gone(&stream->view))
		events |= EPOLLHUP | EPOLLERR;
	if (!drm_fault_queue_empty(&stream->queue))
		events |= EPOLLIN | EPOLLRDNORM;
	return events;
}

static int drm_fault_stream_snapshot(struct drm_fault_call *call)
{
	struct drm_fault_stream *stream = call->file->private_data;

	return drm_fault_snapshot(&stream->view, call->data);
}

static const struct drm_fault_call_op drm_fault_stream_calls[] = {
	{
		.cmd = DRM_FAULT_IOCTL_SNAPSHOT,
		.size = sizeof(struct drm_fault_snapshot),
		.min_size = offsetofend(struct drm_fault_snapshot, pad),
		.run = drm_fault_stream_snapshot,
	},
};

static long drm_fault_stream_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return drm_fault_call(drm_fault_stream_calls, ARRAY_SIZE(drm_fault_stream_calls),
			      file, cmd, arg);
}

static void drm_fault_stream_free(struct drm_fault_stream *stream)
{
	kvfree(stream->queue.entries);
	kfree(stream);
}

static void drm_fault_stream_free_work(struct work_struct *work)
{
	struct drm_fault_stream *stream =
		container_of(to_rcu_work(work), struct drm_fault_stream, rcu);

	/* Nobody can queue it any more, but it may still run. */
	irq_work_sync(&stream->wake);
	mutex_lock(&drm_fault_streams_lock);
	list_del(&stream->all);
	mutex_unlock(&drm_fault_streams_lock);
	drm_fault_view_close(&stream->view);
	drm_fault_stream_free(stream);
}

static void drm_fault_stream_retire(struct drm_fault_stream *stream)
{
	mutex_lock(&drm_fault_streams_lock);
	hlist_del_rcu(&stream->node);
	list_move_tail(&stream->all, &drm_fault_streams_closed);
	mutex_unlock(&drm_fault_streams_lock);
	INIT_RCU_WORK(&stream->rcu, drm_fault_stream_free_work);
	queue_rcu_work(drm_fault_wq, &stream->rcu);
}

static int drm_fault_stream_release(struct inode *inode, struct file *file)
{
	drm_fault_stream_retire(file->private_data);
	return 0;
}

static const struct file_operations drm_fault_stream_fops = {
	.owner = THIS_MODULE,
	.read = drm_fault_stream_read,
	.poll = drm_fault_stream_poll,
	.unlocked_ioctl = drm_fault_stream_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.release = drm_fault_stream_release,
	.llseek = noop_llseek,
};

static struct drm_fault_stream *drm_fault_stream_alloc(u32 queue_records)
{
	struct drm_fault_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);
	void *memory;

	if (!stream)
		return NULL;
	memory = kvzalloc(drm_fault_queue_size(queue_records), GFP_KERNEL_ACCOUNT);
	if (!memory) {
		kfree(stream);
		return NULL;
	}
	drm_fault_queue_init(&stream->queue, queue_records, memory);
	raw_spin_lock_init(&stream->lock);
	mutex_init(&stream->read_lock);
	init_waitqueue_head(&stream->wait);
	init_irq_work(&stream->wake, drm_fault_stream_wake);
	stream->uid = current_uid();
	return stream;
}

static struct hlist_head *drm_fault_stream_list(struct drm_fault_stream *stream)
{
	const struct drm_fault_view *view = &stream->view;

	switch (view->scope) {
	case DRM_FAULT_SCOPE_FILE:
		return &view->client->streams;
	case DRM_FAULT_SCOPE_DEVICE:
		return &view->reporter->streams;
	case DRM_FAULT_SCOPE_ALL:
		return &drm_fault_streams_all;
	default:
		return drm_fault_streams_of_pid(view->pid);
	}
}

static void drm_fault_streams_count(const struct list_head *streams, kuid_t uid,
				    unsigned int *mine, unsigned int *everyones)
{
	const struct drm_fault_stream *stream;

	list_for_each_entry(stream, streams, all) {
		*mine += uid_eq(stream->uid, uid);
		++*everyones;
	}
}

static bool drm_fault_stream_fits(const struct drm_fault_stream *stream, unsigned int limit)
{
	unsigned int mine = 0, everyones = 0;

	lockdep_assert_held(&drm_fault_streams_lock);
	drm_fault_streams_count(&drm_fault_streams, stream->uid, &mine, &everyones);
	drm_fault_streams_count(&drm_fault_streams_closed, stream->uid, &mine, &everyones);
	return mine < drm_fault_settings.max_streams && everyones < limit;
}

static int drm_fault_stream_publish(struct drm_fault_stream *stream)
{
	unsigned int limit = DRM_FAULT_STREAMS_MAX;
	int ret = -EMFILE;
	bool fits;

	if (!drm_fault_would_see_all())
		limit -= DRM_FAULT_STREAMS_RESERVED;

	mutex_lock(&drm_fault_streams_lock);
	fits = drm_fault_stream_fits(stream, limit);
	if (!fits && !list_empty(&drm_fault_streams_closed)) {
		mutex_unlock(&drm_fault_streams_lock);
		/* They go with a grace period and a work: then there may be room. */
		rcu_barrier();
		flush_workqueue(drm_fault_wq);
		mutex_lock(&drm_fault_streams_lock);
		fits = drm_fault_stream_fits(stream, limit);
	}
	if (fits) {
		list_add_tail(&stream->all, &drm_fault_streams);
		hlist_add_head_rcu(&stream->node, drm_fault_stream_list(stream));
		ret = 0;
	}
	mutex_unlock(&drm_fault_streams_lock);
	return ret;
}

static u32 drm_fault_stream_length(u32 wished)
{
	if (!wished)
		return drm_fault_settings.queue_records;
	return roundup_pow_of_two(clamp_t(u32, wished, DRM_FAULT_QUEUE_MIN,
					  DRM_FAULT_QUEUE_MAX));
}

/**
 * drm_fault_stream_create - open a stream
 * @args: what the caller asks for
 * @queue_records: returns the length of its queue
 *
 * Context: Process, may sleep; the caller's rights count.
 * Return: the file; an error of drm_fault_view_open(), -EMFILE or -ENOMEM
 */
struct file *drm_fault_stream_create(const struct drm_fault_subscribe *args,
				     u32 *queue_records)
{
	int flags = O_RDWR | (args->flags & DRM_FAULT_SUBSCRIBE_NONBLOCK ? O_NONBLOCK : 0);
	struct drm_fault_stream *stream;
	struct file *file;
	int ret;

	*queue_records = drm_fault_stream_length(args->queue_records);
	stream = drm_fault_stream_alloc(*queue_records);
	if (!stream)
		return ERR_PTR(-ENOMEM);
	ret = drm_fault_view_open(&stream->view, args);
	if (ret)
		goto err_free;
	ret = drm_fault_stream_publish(stream);
	if (ret)
		goto err_view;

	file = anon_inode_getfile("[drm_fault]", &drm_fault_stream_fops, stream, flags);
	if (IS_ERR(file))
		drm_fault_stream_retire(stream);
	return file;

err_view:
	drm_fault_view_close(&stream->view);
err_free:
	drm_fault_stream_free(stream);
	return ERR_PTR(ret);
}
