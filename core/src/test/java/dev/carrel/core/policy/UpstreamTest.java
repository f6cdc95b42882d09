package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamTest {

    @Test
    void theCredentialsAreReadAndNeverShown() {
        Upstream upstream = Upstream.parse("http://me:p%40ss@proxy.example:3128/");

        assertThat(upstream.host()).isEqualTo(new Host.Name("proxy.example"));
        assertThat(upstream.port()).isEqualTo(3128);
        assertThat(upstream.authorization()).contains("Basic bWU6cEBzcw==");
        assertThat(upstream).hasToString("proxy.example:3128");
    }

    @Test
    void withoutCredentialsNoneAreSent() {
        assertThat(Upstream.parse("http://[2001:db8::1]:8080").authorization()).isEmpty();
        assertThat(Upstream.parse("http://10.0.0.1:8080")).hasToString("10.0.0.1:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "proxy.example:3128",
                "https://proxy.example:3128",
                "socks5://proxy:1080",
                "http://proxy.example",
                "http://:3128",
                "http://me:secret@proxy.example:0",
                "http://me:secret%4@proxy.example:3128",
                "http://me:secret%zz@proxy.example:3128",
                "http://me:secret@proxy.example:3128/path",
                "http://me:secret@pro xy:3128"
            })
    void anythingElseIsRefusedWithoutRepeatingIt(String url) {
        assertThatThrownBy(() -> Upstream.parse(url))
                .isInstanceOf(InvalidInputException.class)
                .message()
                .doesNotContain("secret");
    }
}
