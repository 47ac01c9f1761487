package org.vidimus;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.vidimus.model.WebhookEvent;

/** Verification of webhooks. */
public final class Webhooks {
    /** Far longer than a header with two signatures. */
    private static final int MAX_HEADER_CHARACTERS = 1024;
    private static final Pattern ITEM = Pattern.compile("([a-z][a-z0-9]*)=([!-~]+)");

    private Webhooks() {}

    /** As the longer form, with the clock of this machine and a tolerance of 300 seconds. */
    public static WebhookEvent verify(byte[] body, String signature, List<String> secrets) {
        return verify(body, signature, secrets, Duration.ofSeconds(300), Instant.now());
    }

    /**
     * Checks that a webhook comes from the service, unaltered and recent, and returns its event. Otherwise throws a
     * {@code WebhookException} with the likely cause. An event can be delivered more than once, with the same {@code X-Service-Event-Id}.
     *
     * @param body The raw body, before any parsing.
     * @param signature The header {@code X-Service-Signature}; null if there is none.
     * @param secrets {@code whsec_…}, or several during a rotation.
     * @param tolerance The allowed difference between the sender's clock and yours.
     */
    public static WebhookEvent verify(byte[] body, String signature, List<String> secrets, Duration tolerance, Instant now) {
        if (secrets == null || secrets.isEmpty() || !secrets.stream().allMatch(each -> each != null && each.matches("whsec_[!-~]+"))) {
            // Usually the environment variable is not set. The message never contains the secret.
            throw new WebhookException("unusable_secret",
                "The secret must be the complete text starting with whsec_, without spaces or line breaks. Is the environment variable set?");
        }
        if (signature == null || signature.isEmpty()) {
            throw new WebhookException("missing_header",
                "The X-Service-Signature header is missing. Either this request is not from the service, or a proxy or framework removed the header.");
        }
        Signature read = readSignature(signature);
        long age = now.getEpochSecond() - Long.parseLong(read.t);
        if (Math.abs(age) > tolerance.toSeconds()) {
            String when = age > 0 ? age + " s ago" : -age + " s in the future";
            throw new WebhookException("outside_tolerance", "The webhook was signed " + when + ", which exceeds the tolerance of "
                + tolerance.toSeconds() + " s. Either it is a replay, or this machine's clock is wrong.");
        }
        if (!matches(secrets, read, body)) throw explainMismatch(secrets, read, body);
        if (!(parse(body) instanceof Map<?, ?> event) || !(event.get("type") instanceof String)) {
            throw new WebhookException("unreadable_event",
                "The signature is valid, but the body is not an event: it is not a JSON object with a type.");
        }
        Map<Object, Object> withRaw = new LinkedHashMap<>(event);
        withRaw.put("raw", event);
        return Records.read(WebhookEvent.class, withRaw);
    }

    private record Signature(String t, List<String> candidates) {}

    /** {@code t=<unix seconds>,v1=<hex>[,v1=<hex>]}. {@code t} stays text, because the signature covers its exact characters. */
    private static Signature readSignature(String header) {
        if (header.length() > MAX_HEADER_CHARACTERS) throw malformed("it has " + header.length() + " characters");
        List<String> times = new ArrayList<>();
        List<String> macs = new ArrayList<>();
        for (String item : header.split(",", -1)) {
            Matcher pair = ITEM.matcher(item);
            if (!pair.matches()) throw malformed("it is not a list of name=value pairs");
            if (pair.group(1).equals("t")) times.add(pair.group(2));
            if (pair.group(1).equals("v1")) macs.add(pair.group(2));
        }
        if (times.size() != 1) throw malformed(times.isEmpty() ? "it has no t" : "it has more than one t");
        if (!times.get(0).matches("[0-9]{1,12}")) throw malformed("its t is not a number of seconds");
        if (macs.isEmpty()) throw malformed("it has no v1");
        return new Signature(times.get(0), macs.stream().filter(mac -> mac.matches("[0-9a-f]{64}")).toList());
    }

    private static WebhookException malformed(String reason) {
        return new WebhookException("malformed_header",
            "X-Service-Signature is malformed: " + reason + ". It should be t=<unix seconds>,v1=<64 hex digits>.");
    }

    /** Compares every secret with every candidate in constant time, without stopping at the first match. */
    private static boolean matches(List<String> secrets, Signature signature, byte[] body) {
        boolean matches = false;
        for (String secret : secrets) {
            byte[] mac = computeMac(secret, signature.t, body);
            for (String candidate : signature.candidates) {
                matches |= MessageDigest.isEqual(mac, HexFormat.of().parseHex(candidate));
            }
        }
        return matches;
    }

    private static byte[] computeMac(String secret, String t, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // Every Java has HmacSHA256.
        }
    }

    /** The service sends compact JSON. A body that is JSON but not compact was parsed and serialised again on the way. */
    private static WebhookException explainMismatch(List<String> secrets, Signature signature, byte[] body) {
        Object parsed = parse(body);
        String text = new String(body, StandardCharsets.UTF_8);
        String compact = parsed == null ? text : Json.write(parsed);
        if (!compact.equals(text)) {
            String found = matches(secrets, signature, compact.getBytes(StandardCharsets.UTF_8))
                ? "matches the compact form of this body"
                : "does not match, and this body is not compact JSON as the service sends it";
            return new WebhookException("reserialised_body",
                "The signature " + found + ": it looks re-serialised. Pass the raw bytes, read before any JSON middleware.");
        }
        return new WebhookException("wrong_signature",
            "The signature matches none of the secrets. Is it the complete secret of this tenant, including whsec_? More than 24 hours after a rotation, only the new secret works. Otherwise the body was altered, or parsed and serialised again.");
    }

    private static Object parse(byte[] body) {
        try {
            return Json.read(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notJson) {
            return null;
        }
    }
}
