package dev.carrel.core.host;

/** Whose something is: user and group number on the host. */
public record Owner(int uid, int gid) {}
