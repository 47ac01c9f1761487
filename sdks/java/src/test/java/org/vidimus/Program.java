package org.vidimus;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.vidimus.model.ApplyConfigOptions;
import org.vidimus.model.ChangeDevice;
import org.vidimus.model.ChangeWebhookEndpoint;
import org.vidimus.model.ComparePhoto;
import org.vidimus.model.CreateVerification;
import org.vidimus.model.CreateVerificationOptions;
import org.vidimus.model.CreateWebhookEndpoint;
import org.vidimus.model.ListVerificationsOptions;
import org.vidimus.model.RedeemResponseCode;
import org.vidimus.model.RegisterDevice;
import org.vidimus.model.Verification;

/** Does what ../../test asks on standard input, one line each, and reports the outcome. */
public final class Program {
    private final Map<String, Object> given;

    private Program(Map<String, Object> given) {
        this.given = given;
    }

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, Object> asked = map(Json.read(line));
            Map<String, Object> outcome = new LinkedHashMap<>();
            List<Object> pauses = new ArrayList<>();
            List<Object> warnings = new ArrayList<>();
            Program program = new Program(map(asked.getOrDefault("with", Map.of())));
            try {
                String action = (String) asked.get("do");
                Object value = action.equals("verify") ? program.verify()
                    : action.equals("open") ? program.open()
                    : program.act(connect(map(asked.get("client")), pauses, warnings), action);
                outcome.put("value", encode(value));
            } catch (RuntimeException error) {
                outcome.put("error", describe(error));
            }
            outcome.put("pauses_ms", pauses);
            outcome.put("warnings", warnings);
            out.println(Json.write(outcome));
        }
    }

    private static Vidimus connect(Map<String, Object> client, List<Object> pauses, List<Object> warnings) {
        return new Vidimus(new Vidimus.Options((String) client.get("base_url"), (String) client.get("api_key"))
            .timeout(Duration.ofMillis((Long) client.getOrDefault("timeout_ms", 30_000L)))
            .retries(((Long) client.getOrDefault("retries", 2L)).intValue())
            .onWarning(warnings::add)
            .sleep(pause -> pauses.add(pause.toMillis())));
    }

    private Object act(Vidimus client, String action) {
        String id = (String) given.getOrDefault("id", "");
        VerificationsResource verifications = client.verifications;
        switch (action) {
            case "connect":
                return null;
            case "create":
                return withPage(client, verifications.create(
                    body(new CreateVerification()), options(new CreateVerificationOptions())));
            case "retrieve":
                return withPage(client, verifications.retrieve(id));
            case "list":
                return verifications.list(options(new ListVerificationsOptions()));
            case "list_all":
                List<Object> all = new ArrayList<>();
                verifications.listAll(options(new ListVerificationsOptions())).forEach(all::add);
                return all;
            case "cancel":
                return verifications.cancel(id);
            case "compare":
                return verifications.compare(id, body(new ComparePhoto()));
            case "redeem":
                return verifications.redeem(id, body(new RedeemResponseCode()));
            case "delete":
                return verifications.delete(id);
            case "status":
                return verifications.status(id);
            case "wait":
                return verifications.waitForCompletion(id, Duration.ofMillis((Long) given.get("timeout_ms")),
                    Duration.ofMillis((Long) given.get("interval_ms")));
            case "templates":
                return client.templates.list();
            case "usage":
                return client.usage.retrieve();
            case "create_device":
                return client.devices.create(body(new RegisterDevice()));
            case "list_devices":
                return client.devices.list();
            case "update_device":
                return client.devices.update(id, body(new ChangeDevice()));
            case "revoke_device":
                return client.devices.revoke(id);
            case "create_endpoint":
                return client.webhookEndpoints.create(body(new CreateWebhookEndpoint()));
            case "update_endpoint":
                return client.webhookEndpoints.update(id, body(new ChangeWebhookEndpoint()));
            case "rotate_secret":
                return client.webhookEndpoints.rotateSecret(id);
            case "delete_endpoint":
                return client.webhookEndpoints.delete(id);
            case "export_config":
                return client.config.export();
            case "apply_config":
                return client.config.apply(map(given.get("body")), options(new ApplyConfigOptions()));
            case "call":
                List<String> params = new ArrayList<>();
                ((List<?>) given.getOrDefault("params", List.of())).forEach(each -> params.add((String) each));
                Object body = given.get("body");
                return client.call((String) given.get("operation"), params,
                    map(given.getOrDefault("query", Map.of())), body == null ? null : map(body));
            default:
                throw new IllegalStateException("There is no action " + action + ".");
        }
    }

    private Object verify() {
        byte[] body = Base64.getDecoder().decode((String) map(given.get("body")).get("base64"));
        String header = map(given.get("headers")).entrySet().stream()
            .filter(each -> each.getKey().equalsIgnoreCase("X-Service-Signature"))
            .map(each -> (String) each.getValue()).findFirst().orElse(null);
        List<String> secrets = new ArrayList<>();
        if (given.get("secret") instanceof List<?> several) several.forEach(each -> secrets.add((String) each));
        else secrets.add((String) given.get("secret"));
        if (!given.containsKey("now") && !given.containsKey("tolerance_seconds")) return Webhooks.verify(body, header, secrets);
        return Webhooks.verify(body, header, secrets,
            Duration.ofSeconds((Long) given.getOrDefault("tolerance_seconds", 300L)), Instant.ofEpochSecond((Long) given.get("now")));
    }

    private Object open() {
        String[] keys = ((List<?>) given.get("keys")).stream().map(Json::write).toArray(String[]::new);
        Verification opened = Sealing.openResult(Records.read(Verification.class, given.get("verification")), keys);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("claims", opened.claims());
        result.put("credentials", opened.credentials());
        return result;
    }

    private static Map<String, Object> withPage(Vidimus client, Verification verification) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("verification", verification);
        result.put("page", client.verifications.pageUrl(verification));
        return result;
    }

    private <T extends Parameters<T>> T body(T body) {
        return fill(body, map(given.getOrDefault("body", Map.of())));
    }

    private <T extends Parameters<T>> T options(T options) {
        return fill(options, map(given.getOrDefault("options", Map.of())));
    }

    /** Calls the method of each member, as a merchant would. */
    private static <T> T fill(T target, Map<String, Object> members) {
        members.forEach((name, value) -> {
            String wanted = name.replace("_", "");
            Method method = Arrays.stream(target.getClass().getMethods())
                .filter(each -> each.getName().equalsIgnoreCase(wanted) && each.getParameterCount() == 1)
                .findFirst().orElseThrow();
            try {
                method.invoke(target, value);
            } catch (InvocationTargetException | IllegalAccessException error) {
                throw new IllegalStateException(error);
            }
        });
        return target;
    }

    /** Without the members that are absent. */
    private static Object encode(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Record) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                try {
                    Object member = component.getAccessor().invoke(value);
                    if (member != null) members.put(Records.nameOf(component), encode(member));
                } catch (ReflectiveOperationException error) {
                    throw new IllegalStateException(error);
                }
            }
            return members;
        }
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, each) -> members.put((String) name, encode(each)));
            return members;
        }
        return value instanceof List<?> list ? list.stream().map(Program::encode).toList() : value;
    }

    private static Map<String, Object> describe(RuntimeException error) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("message", error.getMessage());
        if (error instanceof ApiException refused) {
            described.put("kind", "api");
            described.put("code", refused.code());
            described.put("status", refused.status());
            described.put("request_id", refused.requestId());
            described.put("retry_after_seconds", refused.retryAfterSeconds());
            described.put("help", refused.help());
        } else if (error instanceof WebhookException untrusted) {
            described.put("kind", "webhook");
            described.put("reason", untrusted.reason());
        } else if (error instanceof SealedResultException closed) {
            described.put("kind", "sealed");
            described.put("reason", closed.reason());
        } else if (error instanceof ConnectionException) {
            described.put("kind", "connection");
        } else if (error instanceof StillPendingException) {
            described.put("kind", "still_pending");
        } else {
            described.put("kind", error instanceof IllegalArgumentException ? "argument" : "unexpected " + error.getClass());
        }
        return described;
    }

    @SuppressWarnings("unchecked") // What Json reads.
    private static Map<String, Object> map(Object json) {
        return (Map<String, Object>) json;
    }
}
