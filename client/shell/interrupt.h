// Ctrl-C: asks the running query to end, not the program.
#pragma once

namespace thalweg::shell {

/// From now on SIGINT only sets a flag.
void catchInterrupts();
/// Whether Ctrl-C was pressed since the last call of clearInterrupt().
bool interrupted();
void clearInterrupt();
/// A descriptor that is readable while interrupted() is true, for those who wait for something else too.
int interruptDescriptor();

}  // namespace thalweg::shell
