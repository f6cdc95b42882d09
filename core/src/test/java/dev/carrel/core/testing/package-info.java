/** What tests of every package share: requirements on the machine. Knows nothing of Carrel. */
package dev.carrel.core.testing;
