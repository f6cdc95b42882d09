package dev.carrel.core.session;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SandboxPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files under {@code /etc} that a sandbox has of its own: the host's name other users and other
 * machines. Of the overlay mode alone; the other one shows the host's. Pure.
 */
final class GeneratedFiles {

    private GeneratedFiles() {}

    /** File name under {@code /etc} and content. */
    static Map<String, String> of(Identity identity, String userName) {
        int uid = CommandOptions.uidInside(SandboxPolicy.DEFAULT, identity);
        int gid = CommandOptions.gidInside(SandboxPolicy.DEFAULT, identity);
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                "passwd",
                "root:x:0:0:root:/root:/usr/sbin/nologin\n"
                        + userName
                        + ":x:"
                        + uid
                        + ":"
                        + gid
                        + "::"
                        + SandboxPath.HOME
                        + ":/bin/sh\n"
                        + "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
        files.put("group", "root:x:0:\n" + userName + ":x:" + gid + ":\nnogroup:x:65534:\n");
        files.put("hosts", "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n");
        files.put(
                "resolv.conf",
                "# no name service: names that may be reached are looked up outside\n");
        return files;
    }
}
