# SPDX-License-Identifier: MIT
"""Starts one virtual machine, watches it, ends it."""

import os
import subprocess
import tarfile
import time
from pathlib import Path

TRIAL_LIMIT_S = 20
POLL_S = 0.05
QUIET_S = 5
TCG = ["-accel", "tcg,thread=multi,tb-size=1024", "-cpu", "max"]
KVM = ["-accel", "kvm", "-cpu", "host"]

# Slow emulation must not look like a hang: the watchdogs wait long enough for
# a machine that is twenty times slower, which a real hang outlasts as well, and
# nobody counts the timer's ticks in a few milliseconds.
CMDLINE = [
    "console=ttyS0", "root=/dev/vda", "rw", "loglevel=7", "panic=-1",
    "watchdog_thresh=60", "hung_task_panic=0", "rcupdate.rcu_cpu_stall_timeout=120",
    "sysctl.kernel.hung_task_timeout_secs=240", "log_buf_len=4M", "printk.devkmsg=on",
    "nokaslr", "mitigations=off", "audit=0", "selinux=0", "apparmor=0", "random.trust_cpu=on",
    "8250.nr_uarts=1", "net.ifnames=0", "systemd.show_status=0", "no_timer_check",
]


class Root:
    """The root file system that `rootfs` made, with its kernels."""

    def __init__(self, path):
        self.path = Path(path)
        self.kernels = dict(line.split() for line in (self.path / "kernels").read_text().splitlines())

    def match(self, name):
        """Returns the kernels whose name or version begins with `name`."""
        if name in self.kernels:
            return [self.kernels[name]]
        return [v for v in self.kernels.values() if v.startswith(name)]

    def qemu(self):
        """The root's own QEMU, started by the root's own loader.

        It is the same on every host, and newer than that of Debian 12.
        """
        usr = self.path / "tree" / "usr"
        libraries = usr / "lib" / "x86_64-linux-gnu"
        return [str(libraries / "ld-linux-x86-64.so.2"), "--library-path", str(libraries),
                str(usr / "bin" / "qemu-system-x86_64"),
                "-L", str(usr / "share" / "qemu"), "-L", str(usr / "share" / "seabios")]


def accelerator(root, cache):
    """KVM only where a machine was seen to boot with it since this host started.

    There are hosts where /dev/kvm opens and then hangs at the first instruction.
    """
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return TCG
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    answer = Path(cache) / "kvm-trial"
    known = answer.read_text().split() if answer.exists() else []
    if known[:1] != [boot_id]:
        known = [boot_id, "works" if trial(root) else "broken"]
        answer.write_text(" ".join(known))
    return KVM if known[1] == "works" else TCG


def trial(root):
    boot = root.path / "boot" / sorted(root.kernels.values())[0]
    command = [*root.qemu(), *KVM, *common(boot, "512M", 1), "-serial", "stdio",
               "-append", "console=ttyS0 panic=-1 drmfault.trial"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TRIAL_LIMIT_S,
                              stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return False
    return b"drmfault trial boot ok" in done.stdout


def common(boot, memory, cpus):
    return ["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
            "-m", memory, "-smp", str(cpus),
            "-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd")]


def disk(path, **options):
    extra = "".join(f",{k.replace('_', '-')}={v}" for k, v in options.items())
    return ["-drive", f"file={path},format=raw,if=virtio,{'cache=unsafe'}{extra}"]


class Machine:
    """One run: a folder `work` with the job, the console and the answers."""

    def __init__(self, root, version, work, options):
        self.root, self.version, self.options = root, version, options
        self.work = Path(work)
        self.console = self.work / "console.log"
        self.out = self.work / "out"
        self.files = self.work / "files.tar"
        self.process = None
        self.overrun = False
        self._offset, self._rest = 0, ""

    def job(self, **files):
        """Writes the job: each keyword is a file, its value the contents."""
        folder = self.work / "job"
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(self.work / "job.tar", "w") as tar:
            for name, text in files.items():
                (folder / name).write_text(text)
                tar.add(folder / name, arcname=name)

    def command(self, accel):
        o = self.options
        cmdline = [*CMDLINE, f"drmfault.init={o.init}", *o.append]
        if o.shell:
            cmdline.append("loglevel=4")
        if o.init == "systemd":
            cmdline.append("systemd.unit=drmfault.target")
        serial = "stdio,id=console,signal=off" if o.shell else f"file,id=console,path={self.console}"
        return [
            *self.root.qemu(), *accel,
            *common(self.root.path / "boot" / self.version, o.memory, o.cpus),
            "-append", " ".join(cmdline),
            *disk(self.root.path / "root.img", snapshot="on"),
            *disk(o.payload, readonly="on"),
            *disk(self.work / "job.tar", readonly="on"),
            "-device", "virtio-serial-pci",
            "-chardev", f"file,id=out,path={self.out}",
            "-device", "virtserialport,chardev=out,name=drmfault.out",
            "-chardev", f"file,id=files,path={self.files}",
            "-device", "virtserialport,chardev=files,name=drmfault.files",
            "-device", "virtio-rng-pci",
            "-chardev", serial, "-serial", "chardev:console",
            *o.qemu_arg,
        ]

    def start(self, accel):
        self.out.write_bytes(b"")
        self.console.write_bytes(b"")
        self.error = open(self.work / "qemu.log", "wb")
        stdin = None if self.options.shell else subprocess.DEVNULL
        stdout = None if self.options.shell else self.error
        env = dict(os.environ, TMPDIR=str(self.work))
        self.process = subprocess.Popen(self.command(accel), stdin=stdin, stdout=stdout,
                                        stderr=self.error, env=env)

    def lines(self, limit_s, quiet):
        """Yields what the guest says, until it ends or the time is over.

        While it says nothing, quiet(seconds) is called after 5, 10, 20... of them.
        """
        deadline = time.monotonic() + limit_s
        last, step = time.monotonic(), QUIET_S
        while True:
            ended = self.process.poll() is not None
            for line in self._new_lines():
                yield line
                last, step = time.monotonic(), QUIET_S
            if time.monotonic() - last > step:
                quiet(step)
                step *= 2
            if ended:
                break
            if time.monotonic() > deadline:
                self.overrun = True
                self.stop()
            time.sleep(POLL_S)
        if self._rest:
            yield self._rest

    def _new_lines(self):
        with open(self.out, "rb") as out:
            out.seek(self._offset)
            data = out.read()
        self._offset += len(data)
        text = self._rest + data.decode(errors="replace")
        *lines, self._rest = text.split("\n")
        yield from lines

    def stop(self):
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def console_text(self):
        return self.console.read_text(errors="replace")

    def qemu_message(self):
        return (self.work / "qemu.log").read_text(errors="replace").strip()
