// SPDX-License-Identifier: GPL-2.0-only
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "core.h"

/*
 * Rings that wait to be used. A context that a hook made gets its ring with its
 * first fault, when nothing can be allocated: most never fault, and need none.
 */

#define DRM_FAULT_STOCK_RINGS	8

/* Protects the rings and their count; innermost, in any context. */
static DEFINE_RAW_SPINLOCK(drm_fault_stock_lock);
static struct drm_fault_ring *drm_fault_stock[DRM_FAULT_STOCK_RINGS];
static unsigned int drm_fault_stock_count;

static bool drm_fault_stock_put(struct drm_fault_ring *ring)
{
	unsigned long flags;
	bool room;

	raw_spin_lock_irqsave(&drm_fault_stock_lock, flags);
	room = drm_fault_stock_count < DRM_FAULT_STOCK_RINGS;
	if (room)
		drm_fault_stock[drm_fault_stock_count++] = ring;
	raw_spin_unlock_irqrestore(&drm_fault_stock_lock, flags);
	return room;
}

static struct drm_fault_ring *drm_fault_stock_get(void)
{
	struct drm_fault_ring *ring = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&drm_fault_stock_lock, flags);
	if (drm_fault_stock_count)
		ring = drm_fault_stock[--drm_fault_stock_count];
	raw_spin_unlock_irqrestore(&drm_fault_stock_lock, flags);
	return ring;
}

static int drm_fault_stock_fill(void)
{
	unsigned int capacity = drm_fault_settings.ring_records;
	struct drm_fault_ring *ring;

	while (READ_ONCE(drm_fault_stock_count) < DRM_FAULT_STOCK_RINGS) {
		ring = kvzalloc(drm_fault_ring_size(capacity), GFP_KERNEL);
		if (!ring)
			return -ENOMEM;
		drm_fault_ring_init(ring, capacity);
		if (!drm_fault_stock_put(ring)) {
			kvfree(ring);
			break;
		}
	}
	return 0;
}

static void drm_fault_stock_refill(struct work_struct *work)
{
	/* Without memory the next fault asks again. */
	drm_fault_stock_fill();
}

static DECLARE_WORK(drm_fault_stock_work, drm_fault_stock_refill);

static void drm_fault_stock_ask(struct irq_work *work)
{
	queue_work(drm_fault_wq, &drm_fault_stock_work);
}

static DEFINE_IRQ_WORK(drm_fault_stock_irq, drm_fault_stock_ask);

/**
 * drm_fault_stock_take - take a ring
 *
 * Context: Any but NMI.
 * Return: the ring, initialised; NULL if there is none left
 */
struct drm_fault_ring *drm_fault_stock_take(void)
{
	struct drm_fault_ring *ring = drm_fault_stock_get();

	irq_work_queue(&drm_fault_stock_irq);
	return ring;
}

/**
 * drm_fault_stock_init - fill the stock
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM
 */
int drm_fault_stock_init(void)
{
	int ret = drm_fault_stock_fill();

	if (ret)
		drm_fault_stock_exit();
	return ret;
}

/**
 * drm_fault_stock_exit - free it
 *
 * Context: Process, may sleep; nobody takes any more.
 */
void drm_fault_stock_exit(void)
{
	struct drm_fault_ring *ring;

	irq_work_sync(&drm_fault_stock_irq);
	cancel_work_sync(&drm_fault_stock_work);
	while ((ring = drm_fault_stock_get()))
		kvfree(ring);
}
