package dev.carrel.core.bwrap;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BusyProbeTest {

    @Test
    void oddNamesOfTheStateDirectoryStayOutOfTheMountOptions() throws Exception {
        Golden.assertSame(
                BusyProbe.argv(
                        Path.of("/opt/bwrap"),
                        Path.of("/state,with:both"),
                        Path.of("repos/r/gen/1/work"),
                        Path.of("run/probe/lower"),
                        Path.of("run/probe/upper")),
                "busy-probe.txt");
    }
}
