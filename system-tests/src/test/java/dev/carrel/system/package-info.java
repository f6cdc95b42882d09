/**
 * The built distribution as a user drives it: through its command line, with and without a
 * terminal. Nothing of the insides is on the class path. Start with {@code Installation}.
 */
package dev.carrel.system;
