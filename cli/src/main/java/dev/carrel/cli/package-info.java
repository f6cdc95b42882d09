/**
 * The command line. Translates arguments to core requests and results to text and exit codes; it
 * decides nothing about workspaces. Start at {@link dev.carrel.cli.Main}.
 */
package dev.carrel.cli;
