package org.vidimus;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The connection that all requests go through: time-outs, retries and errors. */
final class Connection {
    private static final long FIRST_PAUSE_MS = 500;
    private static final long MAX_PAUSE_MS = 30_000;
    private static final Pattern PAGE = Pattern.compile("<([^>]+)>;\\s*rel=\"alternate\"");
    private static final Pattern HELP = Pattern.compile("<([^>]+)>;\\s*rel=\"help\"");

    final String baseUrl;
    private final Vidimus.Options options;
    private final HttpClient client;

    Connection(Vidimus.Options options) {
        if (options.apiKey == null || !options.apiKey.matches("vk_(?:test|live)_[!-~]+")) {
            throw new IllegalArgumentException(
                "apiKey must start with vk_test_ or vk_live_ and have no spaces or line breaks. Is the environment variable set?");
        }
        Matcher parts = Pattern.compile("(https?://[^/?#\\s]+)([^?#\\s]*)").matcher(String.valueOf(options.baseUrl));
        if (!parts.matches()) {
            throw new IllegalArgumentException("baseUrl must be an http or https URL, such as https://verify.example.");
        }
        this.baseUrl = parts.group(1) + parts.group(2).replaceAll("/+$", "");
        this.options = options;
        this.client = options.httpClient != null ? options.httpClient : HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(options.timeout)
            .build();
    }

    <T extends Record> T call(Class<T> type, Request request) {
        return Records.read(type, send(request));
    }

    @SuppressWarnings("unchecked") // The service keeps to the contract.
    <T> T callForJson(Request request) {
        return (T) send(request);
    }

    void sleep(Duration pause) {
        try {
            options.sleep.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("The thread was interrupted.", interrupted);
        }
    }

    /** Sends a request, again where that is safe, and returns the JSON of the response, or its text. */
    Object send(Request request) {
        for (int attempt = 0;; attempt += 1) {
            try {
                HttpResponse<byte[]> response = sendOnce(request);
                Object value = readResponse(response, request.accept);
                response.headers().firstValue("X-Service-Warning").stream()
                    .flatMap(warnings -> Pattern.compile("; ").splitAsStream(warnings))
                    .forEach(options.onWarning);
                return value;
            } catch (ApiException | ConnectionException error) {
                Duration pause = retryDelay(error, request.repeatable, attempt);
                if (pause == null || attempt >= options.retries || Thread.currentThread().isInterrupted()) throw error;
                sleep(pause);
            }
        }
    }

    private HttpResponse<byte[]> sendOnce(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(baseUrl + request.pathWithQuery()));
        builder.method(request.method, request.body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(Json.write(request.body)));
        builder.header("Accept", request.accept);
        if (request.keyed) builder.header("Authorization", "Bearer " + options.apiKey);
        if (request.body != null) builder.header("Content-Type", "application/json");
        request.headers.forEach(builder::header);
        // The time-out of HttpRequest ends with the headers.
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(builder.build(), BodyHandlers.ofByteArray());
        try {
            return sent.get(options.timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException timedOut) {
            throw lost(request, "no response within " + options.timeout.toMillis() + " ms", timedOut);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw lost(request, "the thread was interrupted", interrupted);
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof IOException)) throw new VidimusException(failed.getMessage(), failed.getCause());
            String reason = failed.getCause().getMessage();
            throw lost(request, reason == null ? failed.getCause().getClass().getSimpleName() : reason, failed.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    private ConnectionException lost(Request request, String reason, Throwable cause) {
        return new ConnectionException(request.method + " " + baseUrl + request.path + ": " + reason, cause);
    }

    private static Object readResponse(HttpResponse<byte[]> response, String accept) {
        boolean succeeded = response.statusCode() / 100 == 2;
        HttpHeaders headers = response.headers();
        String text = new String(response.body(), StandardCharsets.UTF_8);
        boolean isText = !accept.equals("application/json") && headers.firstValue("Content-Type").orElse("").startsWith(accept);
        if (succeeded && isText) return text;
        Object value;
        try {
            value = Json.read(text);
        } catch (IllegalArgumentException notJson) {
            value = null; // The status is reported.
        }
        if (!succeeded || value == null) throw toApiException(response.statusCode(), headers, value);
        Matcher page = PAGE.matcher(headers.firstValue("Link").orElse(""));
        if (page.find() && value instanceof Map<?, ?> members) {
            Map<String, Object> named = new LinkedHashMap<>();
            members.forEach((name, each) -> named.put((String) name, each));
            named.put("page_url", page.group(1));
            return named;
        }
        return value;
    }

    private static ApiException toApiException(int status, HttpHeaders headers, Object body) {
        Object error = body instanceof Map<?, ?> members ? members.get("error") : null;
        Object code = error instanceof Map<?, ?> members ? members.get("code") : null;
        Object message = error instanceof Map<?, ?> members ? members.get("message") : null;
        if (!(code instanceof String) || !(message instanceof String)) {
            code = "unreadable_answer";
            message = "The response with status " + status
                + " is not from the service. Check baseUrl, and whether a proxy responded instead.";
        }
        Matcher help = HELP.matcher(headers.firstValue("Link").orElse(""));
        Long after = headers.firstValue("Retry-After").filter(text -> text.matches("[0-9]{1,9}")).map(Long::valueOf).orElse(null);
        return new ApiException((String) message, status, (String) code,
            headers.firstValue("X-Request-Id").orElse(null), after, help.find() ? help.group(1) : null);
    }

    /** The pause before the next attempt; null if the request must not be retried, or only much later. */
    private static Duration retryDelay(VidimusException error, boolean repeatable, int attempt) {
        long backoff = FIRST_PAUSE_MS << attempt;
        long jittered = backoff / 2 + ThreadLocalRandom.current().nextLong(backoff / 2 + 1);
        if (!(error instanceof ApiException refused)) return repeatable ? Duration.ofMillis(jittered) : null;
        if (!isTransient(refused, repeatable)) return null;
        long after = refused.retryAfterSeconds() == null ? 0 : refused.retryAfterSeconds() * 1000;
        return after > MAX_PAUSE_MS ? null : Duration.ofMillis(Math.max(after, jittered));
    }

    /** A 429 means that the request had no effect; after a 5xx it may have had one. */
    private static boolean isTransient(ApiException refused, boolean repeatable) {
        if (refused.status() == 429) return !refused.code().equals("quota_exceeded");
        return repeatable && (refused.status() >= 500 || refused.code().equals("idempotency_key_in_flight"));
    }
}
