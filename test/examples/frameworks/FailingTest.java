import static org.junit.jupiter.api.Assertions.assertEquals;
import java.net.URI;
import java.net.http.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FailingTest {
  @RegisterExtension PetstoreSandbox sandbox = new PetstoreSandbox("empty");

  String get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(sandbox.url + path)).header("Authorization", "Bearer " + sandbox.key);
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test void good() throws Exception {
    assertEquals("[]", get("/pets"));
    sandbox.verify("{\"operation\":\"listPets\",\"exactly\":1}");
    get("/pets?limit=500");
    sandbox.expectedInvalid = "listPets:400";
  }

  @Test void contract() throws Exception { get("/pets?limit=500"); }

  @Test void own() throws Exception { assertEquals("something else", get("/pets")); }

  @Test void verified() throws Exception {
    get("/pets");
    sandbox.verify("{\"operation\":\"listPets\",\"exactly\":2}");
  }
}
