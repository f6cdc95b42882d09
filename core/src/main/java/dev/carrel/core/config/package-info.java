/**
 * Settings in files: found, read, held against one schema, and put together.
 *
 * <p>The result is a {@link dev.carrel.core.config.Configuration}, a value that says of each
 * setting where it was written; what a setting means is decided elsewhere ({@code
 * dev.carrel.core.policy.SessionSettings}, where options of a command line go too). This package
 * knows no session and no front end; it prints nothing and keeps no state but a cache on disk.
 * {@code carrel.schema.json}, beside the classes, describes every key once: for editors, for the
 * checker, for the merging and for the documentation. Start with {@link
 * dev.carrel.core.config.Configurations}; what a repository's own file may do is in {@link
 * dev.carrel.core.config.Narrowing}.
 */
package dev.carrel.core.config;
