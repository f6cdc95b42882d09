package dev.carrel.core.egress;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/** First messages of TLS, made by the JDK and then taken apart. */
final class Hello {

    private Hello() {}

    /** A message for a host; for none where the name is empty. */
    static byte[] naming(String name) throws NoSuchAlgorithmException, SSLException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    /** The same message in records of so many bytes. */
    static byte[] inRecordsOf(int size, byte[] hello) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int at = 5; at < hello.length; at += size) {
            int count = Math.min(size, hello.length - at);
            records.writeBytes(new byte[] {22, 3, 1, (byte) (count >> 8), (byte) count});
            records.write(hello, at, count);
        }
        return records.toByteArray();
    }

    /** A message of our own with these extensions. */
    static byte[] withExtensions(byte[]... extensions) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] extension : extensions) {
            all.writeBytes(extension);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {3, 3});
        body.writeBytes(new byte[32]);
        body.writeBytes(new byte[] {0, 0, 2, 0x13, 0x01, 1, 0});
        body.writeBytes(sized(all.toByteArray()));
        int length = body.size();
        ByteArrayOutputStream hello = new ByteArrayOutputStream();
        hello.writeBytes(new byte[] {22, 3, 1, (byte) ((length + 4) >> 8), (byte) (length + 4)});
        hello.writeBytes(new byte[] {1, 0, (byte) (length >> 8), (byte) length});
        hello.writeBytes(body.toByteArray());
        return hello.toByteArray();
    }

    /** The extension that names hosts. */
    static byte[] names(String... names) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (String name : names) {
            list.write(0);
            list.writeBytes(sized(name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
        }
        return extension(0, sized(list.toByteArray()));
    }

    /** Any extension. */
    static byte[] extension(int type, byte[] content) {
        ByteArrayOutputStream extension = new ByteArrayOutputStream();
        extension.writeBytes(new byte[] {(byte) (type >> 8), (byte) type});
        extension.writeBytes(sized(content));
        return extension.toByteArray();
    }

    private static byte[] sized(byte[] content) {
        ByteArrayOutputStream sized = new ByteArrayOutputStream();
        sized.writeBytes(new byte[] {(byte) (content.length >> 8), (byte) content.length});
        sized.writeBytes(content);
        return sized.toByteArray();
    }
}
