import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.util.regex.*;
import org.junit.jupiter.api.extension.*;

/**
 * A petstore sandbox for each test. Copy this file to your tests, and run them: `npx petstore-sandbox exec --start -- mvn test`.
 *
 * <pre>{@code
 * @RegisterExtension PetstoreSandbox sandbox = new PetstoreSandbox("empty"); // the fixture
 *
 * @Test void listsWhatWasCreated() throws Exception {
 *   new PetClient(sandbox.url, sandbox.key).create("Rex");
 *   sandbox.verify("{\"operation\":\"createPet\",\"status\":201,\"exactly\":1}");
 * }
 * }</pre>
 *
 * A test fails if its client fails the contract check. The recording of a failed test is in `artifacts`:
 * `npx petstore-sandbox open FILE` shows it.
 */
public class PetstoreSandbox implements BeforeEachCallback, AfterTestExecutionCallback, AfterEachCallback {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** For the client under test. */
  public String url = System.getenv().getOrDefault("SANDBOX_URL", "http://127.0.0.1:4020/v1");
  /** For the client under test. */
  public String key;
  /** Responses that the test provokes on purpose: createPet:400. */
  public String expectedInvalid;
  private final String fixture;
  private String id;

  /** @param fixture such as "default" */
  public PetstoreSandbox(String fixture) {
    this.fixture = fixture;
  }

  /** Calls the control API: ("POST", "/reset", null), or ("PUT", "/clock", "{\"now\":\"2030-12-05T00:00:00Z\"}"). */
  public String control(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url.replaceFirst("/v1/?$", "/_sandbox") + path))
        .header("Content-Type", "application/json").method(method, body == null
            ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (key != null) request.header("Authorization", "Bearer " + key);
    var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() < 400) return response.body();
    throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + response.body());
  }

  /** Fails unless the client sent this: verify("{\"operation\":\"createPet\",\"status\":201,\"exactly\":1}"). */
  public void verify(String expected) throws Exception {
    control("POST", "/requests/verify", expected);
  }

  @Override
  public void beforeEach(ExtensionContext test) throws Exception {
    var issued = control("POST", "/keys", "{\"fixture\":\"" + fixture + "\",\"ttlSeconds\":600}");
    url = find("baseUrl", issued);
    key = find("key", issued);
    id = find("sandbox", issued);
  }

  private static String find(String field, String json) {
    var found = Pattern.compile("\"" + field + "\":\"([^\"]+)\"").matcher(json);
    if (!found.find()) throw new AssertionError("no " + field + " in " + json);
    return found.group(1);
  }

  @Override
  public void afterTestExecution(ExtensionContext test) throws Exception {
    var query = "/report?" + (expectedInvalid == null ? "" : "expectedInvalid=" + expectedInvalid + "&");
    var report = control("GET", query + "format=json", null);
    var passed = report.contains("\"verdict\":\"pass\"");
    // Set by `exec`, which makes one verdict of them.
    var reports = System.getenv("SANDBOX_REPORTS");
    if (reports != null) Files.writeString(Path.of(reports, id + ".json"), report);
    var hasFailed = test.getExecutionException().isPresent();
    if (passed && !hasFailed) return;
    var name = test.getRequiredTestClass().getSimpleName() + "-" + test.getRequiredTestMethod().getName() + ".jsonl";
    var file = Files.createDirectories(Path.of("artifacts")).resolve(name);
    Files.writeString(file, control("GET", "/export?format=recording", null));
    System.err.println("npx petstore-sandbox open " + file);
    if (!hasFailed) throw new AssertionError(control("GET", query + "format=text", null));
  }

  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    if (key != null) control("DELETE", "/", null);
  }
}
