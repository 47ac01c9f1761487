package org.vidimus;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The members of a request that were set. Null is none, except where it removes a value. */
public abstract class Parameters<Self extends Parameters<Self>> {
    private final Map<String, Object> members = new LinkedHashMap<>();

    public final Map<String, Object> members() {
        return Collections.unmodifiableMap(members);
    }

    @SuppressWarnings("unchecked") // Every subclass names itself.
    protected final Self setNullable(String name, Object value) {
        members.put(name, value);
        return (Self) this;
    }

    protected final Self set(String name, Object value) {
        Self self = setNullable(name, value);
        if (value == null) members.remove(name);
        return self;
    }

    static void copy(Parameters<?> from, Parameters<?> to) {
        to.members.putAll(from.members);
    }
}
