drm_fault_sim-y := sim/driver.o sim/file.o sim/object.o sim/vm.o sim/memory.o sim/isa.o sim/engine.o sim/ring.o sim/job.o sim/fault.o
