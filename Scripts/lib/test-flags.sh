# How the tests are built. Sourced by the scripts that build them, so that none builds what another has built with other flags.

# Without notes for a debugger, which take a tenth of the time. All files of a module in one batch: each batch reads the whole
# module anew, and the modules already share the processors.
test_flags="-Xswiftc -warnings-as-errors -Xcc -Werror -Xswiftc -gnone -Xswiftc -driver-batch-count -Xswiftc 1"
