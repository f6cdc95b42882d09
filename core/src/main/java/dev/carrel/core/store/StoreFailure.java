package dev.carrel.core.store;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Failures of the JDK's file calls in words, with the cure for a full disk. */
public final class StoreFailure {

    private StoreFailure() {}

    /** Says what was attempted on which file, and why it failed. */
    public static HostOperationException of(String attempt, Path file, IOException cause) {
        String reason = reason(cause);
        return new HostOperationException(
                "cannot " + attempt + " " + file + ": " + reason, remedy(reason), cause);
    }

    /** The same with a cure where none is known from the cause. */
    static HostOperationException of(String attempt, Path file, String cure, IOException cause) {
        String reason = reason(cause);
        String known = remedy(reason);
        return new HostOperationException(
                "cannot " + attempt + " " + file + ": " + reason,
                known == null ? cure : known,
                cause);
    }

    private static String reason(IOException cause) {
        return switch (cause) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "it is not a directory";
            case FileAlreadyExistsException other -> other.getFile() + " is no directory";
            case FileSystemException refused when refused.getReason() != null ->
                    refused.getReason();
            default -> String.valueOf(cause.getMessage());
        };
    }

    // The JDK carries no error number, only the C library's text; core runs it with LC_ALL unset
    // or C.UTF-8, and a translated text merely loses the remedy.
    private static @Nullable String remedy(String reason) {
        if (reason.contains("No space left")) {
            return "free some space there, see df and df -i";
        }
        return reason.contains("quota") ? "free some space there, see quota" : null;
    }
}
