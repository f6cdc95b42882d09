package dev.carrel.core.session.clients;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The smallest packages of their kinds, each named {@code sample}. */
final class Packages {

    private Packages() {}

    /** An index with one wheel, which prints something when it is imported. */
    static void wheel(FileServer server) throws IOException {
        String info = "sample-1.0.dist-info/";
        Map<String, String> files = new LinkedHashMap<>();
        files.put("sample.py", "print('what is served')\n");
        files.put(info + "METADATA", "Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n");
        files.put(
                info + "WHEEL",
                "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
        files.put(info + "RECORD", String.join(",,\n", files.keySet()) + ",,\n");
        String name = "sample-1.0-py3-none-any.whl";
        server.serve("/simple/sample/", "<html><body><a href='" + name + "'>" + name + "</a>");
        server.serve("/simple/sample/" + name, zip(files));
    }

    static byte[] zip(Map<String, String> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /** A registry with one package. Its archive is fetched from where its description was. */
    static void npm(FileServer server, String url) throws Exception {
        byte[] archive =
                tar(
                        Map.of(
                                "package/package.json",
                                "{\"name\":\"sample\",\"version\":\"1.0.0\"}",
                                "package/index.js",
                                "console.log('what is served')\n"));
        String digest =
                Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-512").digest(archive));
        server.serve(
                "/sample",
                """
                {"name":"sample","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"sample",
                "version":"1.0.0","dist":{"tarball":"%s/sample/-/sample-1.0.0.tgz","integrity":"sha512-%s"}}}}
                """
                        .formatted(url, digest));
        server.serve("/sample/-/sample-1.0.0.tgz", archive);
    }

    /** A repository with a parent of projects. */
    static void maven(FileServer server) {
        server.serve(
                "/maven/test/sample/1/sample-1.pom",
                """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>test</groupId><artifactId>sample</artifactId><version>1</version>
                  <packaging>pom</packaging>
                </project>
                """);
    }

    /** A module as a Go proxy serves it. */
    static void go(FileServer server) throws IOException {
        String module = "module example.test/sample\n";
        server.serve("/go/example.test/sample/@v/v1.0.0.info", "{\"Version\":\"v1.0.0\"}");
        server.serve("/go/example.test/sample/@v/v1.0.0.mod", module);
        server.serve(
                "/go/example.test/sample/@v/v1.0.0.zip",
                zip(Map.of("example.test/sample@v1.0.0/go.mod", module)));
    }

    /**
     * A crate's archive.
     *
     * @return its line in an index
     */
    static String cargo(FileServer server) throws Exception {
        byte[] crate =
                tar(
                        Map.of(
                                "sample-1.0.0/Cargo.toml",
                                "[package]\nname = \"sample\"\nversion = \"1.0.0\"\n",
                                "sample-1.0.0/src/lib.rs",
                                ""));
        server.serve("/crates/sample/1.0.0/download", crate);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(crate);
        return "{\"name\":\"sample\",\"vers\":\"1.0.0\",\"deps\":[],\"features\":{},\"yanked\":false,"
                + "\"cksum\":\""
                + HexFormat.of().formatHex(digest)
                + "\"}";
    }

    /** A compressed archive as tar makes it. */
    static byte[] tar(Map<String, String> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                out.write(header(file.getKey(), content.length));
                out.write(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
            }
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644\0000000000\0000000000\0");
        put(header, 124, "%011o\00000000000000\0".formatted(size));
        put(header, 148, "        0");
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte b : header) {
            sum += b;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
