# SPDX-License-Identifier: MIT
# The human entry. `make help` lists the targets. The kernel's build system
# reads kernel/Kbuild, userspace is built by meson from userspace/.

# The version of everything; the rest of the tree derives it from this line.
VERSION := 0.1.0

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
DESTDIR ?=
PREFIX ?= /usr
BUILD ?= build
KERNEL ?=
TEST ?=

VM := tests/vm
DKMS_NAME := drm_fault
DKMS_SRC := $(DESTDIR)/usr/src/$(DKMS_NAME)-$(VERSION)
HEADERS := $(wildcard uapi/drm/*.h)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ The two commands

demo: ## Set up all, boot a virtual machine, show three GPU faults
	@$(VM)/demo

check: ## Set up all, run every test; ends with one summary line
	@$(VM)/check style unit vm

##@ Tests, one kind at a time

check-unit: ## Unit tests here, without a kernel: gcc, clang, sanitizers
	@$(VM)/check unit

check-vm: ## Tests in the virtual machine (KERNEL=6.12 TEST=pattern)
	@KERNEL='$(KERNEL)' TEST='$(TEST)' $(VM)/check vm

check-style: ## checkpatch, sparse, W=1, clang-format, shellcheck
	@$(VM)/check style

bench: ## All benchmarks in the virtual machine, one line per figure
	@$(VM)/bench

shell: ## A root shell in the virtual machine (KERNEL=6.12)
	@$(VM)/shell '$(KERNEL)'

##@ The kernel modules (KVER=version KDIR=headers)

# An absent KDIR would give a page of messages that say less.
kdir:
	@test -e '$(KDIR)/Makefile' || { \
		echo "no kernel headers in $(KDIR): install linux-headers-$(KVER), or set KVER or KDIR" >&2; \
		exit 1; }

modules: kdir ## Build drm_fault.ko and drm_fault_sim.ko
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/kernel' DRM_FAULT_VERSION=$(VERSION) modules

modules_install: kdir ## Install them below $(DESTDIR)/lib/modules
	$(MAKE) -C '$(KDIR)' M='$(CURDIR)/kernel' INSTALL_MOD_DIR=updates \
		$(if $(DESTDIR),INSTALL_MOD_PATH='$(DESTDIR)' DEPMOD=true) modules_install

# The same key as DKMS signs with; KBUILD_SIGN_PIN, if set, unlocks it.
MOK_SETTING = $(shell sed -n "s/^$(1)=//p" /etc/dkms/framework.conf /etc/dkms/framework.conf.d/*.conf 2>/dev/null | tail -n 1 | tr -d "\"")
MOK_KEY ?= $(or $(call MOK_SETTING,mok_signing_key),/var/lib/dkms/mok.key)
MOK_CERT ?= $(or $(call MOK_SETTING,mok_certificate),/var/lib/dkms/mok.pub)

sign: kdir ## Sign the built modules with the machine owner's key of DKMS
	@test -r '$(MOK_KEY)' || { \
		echo "no key in $(MOK_KEY): run 'dkms generate_mok' as root, or set MOK_KEY and MOK_CERT" >&2; \
		exit 1; }
	for module in kernel/*.ko; do \
		'$(KDIR)/scripts/sign-file' sha256 '$(MOK_KEY)' '$(MOK_CERT)' "$$module" || exit 1; \
	done

##@ DKMS

# Written there and not here: the checkout may be read-only, or another's.
dkms-source:
	install -d '$(DKMS_SRC)'
	cp -r Makefile kernel uapi '$(DKMS_SRC)/'
	sed -e 's/@VERSION@/$(VERSION)/g' -e 's/@NAME@/$(DKMS_NAME)/g' \
		kernel/dkms.conf.in >'$(DKMS_SRC)/dkms.conf'
	$(MAKE) -C '$(DKMS_SRC)' clean-objects

dkms-install: dkms-source ## Register with DKMS, build and install for KVER
	$(if $(DESTDIR),,dkms build --force -m $(DKMS_NAME) -v $(VERSION) -k '$(KVER)')
	$(if $(DESTDIR),,dkms install --force -m $(DKMS_NAME) -v $(VERSION) -k '$(KVER)')

dkms-remove: ## Take it out of DKMS and of all kernels
	$(if $(DESTDIR),,-dkms remove -m $(DKMS_NAME) -v $(VERSION) --all)
	rm -rf '$(DKMS_SRC)'

##@ Userspace

$(BUILD)/userspace/build.ninja:
	meson setup --prefix='$(PREFIX)' --buildtype=debugoptimized $(BUILD)/userspace userspace

userspace: $(BUILD)/userspace/build.ninja ## Build the libraries, the layer and the tools
	meson compile -C $(BUILD)/userspace

install: userspace install-headers ## Install userspace and the uAPI headers
	DESTDIR='$(DESTDIR)' meson install -C $(BUILD)/userspace --no-rebuild

install-headers: ## Install the uAPI headers alone
	install -d '$(DESTDIR)$(PREFIX)/include/drm'
	install -m 644 $(HEADERS) '$(DESTDIR)$(PREFIX)/include/drm/'

uninstall: ## Remove what install put there
	-[ ! -d $(BUILD)/userspace ] || DESTDIR='$(DESTDIR)' ninja -C $(BUILD)/userspace uninstall
	rm -f $(addprefix '$(DESTDIR)$(PREFIX)/include/drm/',$(notdir $(HEADERS)))

##@ Cleaning

# Without the kernel's own `clean`, which needs its headers.
clean-objects:
	find kernel \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '*.order' -o -name '*.symvers' -o -name '.*.d' \) -delete
	rm -rf kernel/.tmp_versions kernel/.module-common.o

clean: clean-objects ## Remove what was built in this checkout
	rm -rf $(BUILD)

distclean: clean ## Remove the cache as well: root file system and builds
	@$(VM)/clean-cache

help: ## This list
	@awk 'BEGIN { FS = ":.*## "; print "drm_fault $(VERSION)" } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z_-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo check check-unit check-vm check-style bench shell kdir modules \
	modules_install sign dkms-source dkms-install dkms-remove userspace install \
	install-headers uninstall clean-objects clean distclean help
