package org.vidimus;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** From JSON to records, leniently: a newer service may send more members. */
final class Records {
    private Records() {}

    static <T extends Record> T read(Class<T> type, Object json) {
        Map<?, ?> members = json instanceof Map<?, ?> map ? map : Map.of();
        return make(type, component -> readValue(component.getGenericType(), members.get(nameOf(component))));
    }

    /** A copy with other values, by the names of their members. */
    static <T extends Record> T with(T record, Map<String, ?> values) {
        @SuppressWarnings("unchecked") // The class of a T.
        Class<T> type = (Class<T>) record.getClass();
        return make(type, component -> {
            if (values.containsKey(nameOf(component))) return values.get(nameOf(component));
            try {
                return component.getAccessor().invoke(record);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible); // Records have this accessor.
            }
        });
    }

    private static <T extends Record> T make(Class<T> type, Function<RecordComponent, Object> read) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(components).map(read).toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible); // Records have this constructor.
        }
    }

    /** {@code created_at} for {@code createdAt}, {@code default} for {@code default_}. */
    static String nameOf(RecordComponent component) {
        return component.getName().replaceAll("_$", "").replaceAll("([A-Z])", "_$1").toLowerCase();
    }

    private static Object readValue(Type type, Object json) {
        if (type instanceof ParameterizedType generic) {
            Type of = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (generic.getRawType() == List.class && json instanceof List<?> list) {
                return list.stream().map(each -> readValue(of, each)).toList();
            }
            if (generic.getRawType() == Map.class && json instanceof Map<?, ?> map) {
                Map<Object, Object> read = new LinkedHashMap<>();
                map.forEach((name, each) -> read.put(name, readValue(of, each)));
                return read;
            }
            return null;
        }
        if (type == boolean.class) return Boolean.TRUE.equals(json);
        if (type == long.class) return json instanceof Number number ? number.longValue() : 0L;
        if (type == double.class) return json instanceof Number number ? number.doubleValue() : 0.0;
        if (type == Long.class) return json instanceof Number number ? (Object) number.longValue() : null;
        if (type == Double.class) return json instanceof Number number ? (Object) number.doubleValue() : null;
        Class<?> wanted = (Class<?>) type;
        if (wanted.isRecord() && json instanceof Map<?, ?>) return read(wanted.asSubclass(Record.class), json);
        return wanted.isInstance(json) ? json : null;
    }
}
