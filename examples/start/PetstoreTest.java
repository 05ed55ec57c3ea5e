import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class PetstoreTest {
  /** Call your own client here. `petstore-sandbox exec` sets both variables. */
  HttpResponse<String> get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("SANDBOX_URL") + path))
        .header("Authorization", "Bearer " + System.getenv("SANDBOX_KEY")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void listsThePetsThatAreAvailable() throws Exception {
    var response = get("/pets?status=available&limit=5");
    assertEquals(200, response.statusCode());
    assertTrue(response.body().contains("\"name\":\"Biscuit\""), response.body());
  }
}
