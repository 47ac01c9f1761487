package org.vidimus;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A client for a merchant's server. It can be shared between threads. */
public final class Vidimus {
    public final VerificationsResource verifications;
    public final TemplatesResource templates;
    public final DevicesResource devices;
    public final ConfigResource config;
    public final WebhookEndpointsResource webhookEndpoints;
    public final UsageResource usage;
    private final Connection connection;

    /**
     * @param baseUrl The address of the service, for example {@code https://verify.example}.
     * @param apiKey {@code vk_test_…} or {@code vk_live_…}. Null, as of a variable that is not set, is refused.
     */
    public Vidimus(String baseUrl, String apiKey) {
        this(new Options(baseUrl, apiKey));
    }

    public Vidimus(Options options) {
        connection = new Connection(options);
        verifications = new VerificationsResource(connection);
        templates = new TemplatesResource(connection);
        devices = new DevicesResource(connection);
        config = new ConfigResource(connection);
        webhookEndpoints = new WebhookEndpointsResource(connection);
        usage = new UsageResource(connection);
    }

    /**
     * Calls an operation that manages templates, settings, trust, clients, keys or logs, by its name in the API reference.
     *
     * @param params What fills its path.
     * @param query Can be empty.
     * @param body Can be null.
     * @return The JSON of the response as maps, lists, texts and numbers, or its text if that is not JSON.
     */
    public Object call(String operation, List<String> params, Map<String, ?> query, Map<String, ?> body) {
        Calls call = Calls.ALL.get(operation);
        if (call == null) throw new IllegalArgumentException("There is no operation " + operation + ". The API reference lists them.");
        Request request = new Request(call.method(), call.path(), params.toArray(String[]::new));
        request.repeatable = call.repeatable();
        request.body = body;
        query.forEach(request::query);
        if (call.accept() != null) request.accept = call.accept();
        return connection.callForJson(request);
    }

    /** How to pause. */
    @FunctionalInterface
    public interface Sleep {
        void sleep(Duration pause) throws InterruptedException;
    }

    /** The options of a client. */
    public static final class Options {
        final String baseUrl;
        final String apiKey;
        Duration timeout = Duration.ofSeconds(30);
        int retries = 2;
        Consumer<String> onWarning = warning -> System.getLogger("vidimus").log(System.Logger.Level.WARNING, warning);
        Sleep sleep = pause -> Thread.sleep(pause.toMillis());
        HttpClient httpClient;

        public Options(String baseUrl, String apiKey) {
            this.baseUrl = baseUrl;
            this.apiKey = apiKey;
        }

        /** How long one attempt may take, including the response body. By default 30 seconds. */
        public Options timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** How often a request is retried when that is safe. By default 2. */
        public Options retries(int value) {
            retries = value;
            return this;
        }

        /** Called for each warning of a response, such as a mistake in a query that was accepted. By default it is logged. */
        public Options onWarning(Consumer<String> value) {
            onWarning = value;
            return this;
        }

        public Options sleep(Sleep value) {
            sleep = value;
            return this;
        }

        /** How to connect, for example through a proxy. It must not follow redirects. */
        public Options httpClient(HttpClient value) {
            httpClient = value;
            return this;
        }
    }
}
