/** What can go wrong, as a closed set: code, message, remedy. Knows nothing else of Carrel. */
package dev.carrel.core.failure;
