drm_fault-y += hooks/amdgpu.o hooks/amdgpu-fault.o hooks/amdgpu-job.o hooks/hang.o hooks/iommu.o hooks/sets.o hooks/sim.o
drm_fault-y += hooks/i915.o hooks/i915-owner.o hooks/i915-state.o
drm_fault-y += hooks/nouveau.o hooks/nouveau-channel.o hooks/nouveau-engine.o hooks/nouveau-firmware.o
drm_fault-y += hooks/xe.o hooks/xe-batch.o hooks/xe-facts.o hooks/xe-fault.o hooks/xe-queue.o hooks/xe-vm.o
