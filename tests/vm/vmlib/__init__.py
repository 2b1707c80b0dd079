# SPDX-License-Identifier: MIT
"""What the runner of the virtual machine is made of."""
