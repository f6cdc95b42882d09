package dev.carrel.core.session.clients;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Java's clients in a program of its own: prints what is at each address, until it cannot. */
final class Fetch {

    private Fetch() {}

    /** The client, {@code new} or {@code old}, and addresses. */
    public static void main(String[] arguments) throws Exception {
        System.out.println("user.home is " + System.getProperty("user.home"));
        for (String address : List.of(arguments).subList(1, arguments.length)) {
            URI uri = URI.create(address);
            if (arguments[0].equals("new")) {
                try (HttpClient client = HttpClient.newHttpClient()) {
                    HttpRequest request = HttpRequest.newBuilder(uri).build();
                    System.out.println(
                            client.send(request, HttpResponse.BodyHandlers.ofString()).body());
                }
            } else {
                uri.toURL().openStream().transferTo(System.out);
            }
            System.out.flush();
        }
    }
}
