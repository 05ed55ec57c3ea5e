// java.net.http.HttpClient with its defaults: run with `java Drill.java`. It reads JSON with regular expressions, as text,
// and prints the pets and lists that the task asks for, a line each.
import java.net.URI;
import java.net.http.*;
import java.util.regex.*;
import java.util.stream.*;

public class Drill {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  static String send(String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("SANDBOX_URL") + path))
        .header("Authorization", "Bearer " + System.getenv("SANDBOX_KEY")).header("Content-Type", "application/json");
    if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body));
    var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 400) throw new Exception(response.statusCode() + " " + response.body());
    return response.body();
  }

  static String list() {
    try {
      return send("/pets?limit=100", null);
    } catch (Exception error) {
      throw new RuntimeException(error);
    }
  }

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(System.getenv("SANDBOX_TIMES"));
    String name = System.getenv("SANDBOX_PET_NAME"), id = System.getenv("SANDBOX_PET_ID");
    String pet = "{\"name\":\"" + name + "\",\"categoryId\":1}";
    switch (System.getenv("SANDBOX_TASK")) {
      case "list" -> { for (int i = 0; i < times; i++) System.out.println(list()); }
      case "list-at-once" -> {
        var threads = IntStream.range(0, times).mapToObj(i -> new java.util.concurrent.FutureTask<>(Drill::list)).toList();
        threads.forEach(each -> new Thread(each).start());
        for (var each : threads) System.out.println(each.get());
      }
      case "create" -> System.out.println(send("/pets", pet));
      case "get" -> System.out.println(send("/pets/" + id, null));
      case "list-and-get" -> {
        var found = Pattern.compile("\"id\":(-?\\d+),\"name\":\"" + Pattern.quote(name) + "\"").matcher(list());
        if (!found.find()) throw new Exception("no such pet");
        System.out.println(send("/pets/" + found.group(1), null));
      }
      case "all" -> {
        for (var result : new String[] {list(), send("/pets", pet), send("/pets/" + id, null)}) System.out.println(result);
      }
    }
  }
}
