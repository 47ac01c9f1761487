package org.vidimus;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;

/** What is sent. */
final class Request {
    final String method;
    final String path;
    final Map<String, String> headers = new LinkedHashMap<>();
    private final StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    Object body;
    /** Whether to send it again if the response may have been lost. Otherwise only after one which says that it had no effect. */
    boolean repeatable;
    boolean keyed = true;
    String accept = "application/json";

    /** Fills in the parameters, which cannot change the path. */
    Request(String method, String path, String... params) {
        if (path.chars().filter(each -> each == '{').count() != params.length) {
            throw new IllegalArgumentException(path + " does not have " + params.length + " parameters.");
        }
        for (String value : params) {
            if (value == null || value.isEmpty()) throw new IllegalArgumentException("The id is empty.");
            path = path.replaceFirst("\\{\\w+}", encode(value).replace("+", "%20"));
        }
        this.method = method;
        this.path = path;
    }

    Request repeatable() {
        repeatable = true;
        return this;
    }

    /** If the option is set. */
    Request repeatableIf(Parameters<?> options, String option) {
        repeatable = Boolean.TRUE.equals(options.members().get(option));
        return this;
    }

    Request withoutKey() {
        keyed = false;
        return this;
    }

    Request body(Object members) {
        body = members;
        return this;
    }

    Request header(String name, Parameters<?> options, String option) {
        Object value = options.members().get(option);
        if (value != null) headers.put(name, value.toString());
        return this;
    }

    Request idempotencyKey(Parameters<?> options) {
        headers.put("Idempotency-Key", UUID.randomUUID().toString());
        return header("Idempotency-Key", options, "idempotency_key");
    }

    Request query(Parameters<?> options, String... names) {
        for (String name : names) query(name, options.members().get(name));
        return this;
    }

    Request query(String name, Object value) {
        if (value instanceof Map<?, ?> members) {
            members.forEach((key, each) -> query(name + "[" + key + "]", each));
        } else if (value != null) {
            query.add(encode(name) + "=" + encode(String.valueOf(value)));
        }
        return this;
    }

    String pathWithQuery() {
        return path + query;
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
