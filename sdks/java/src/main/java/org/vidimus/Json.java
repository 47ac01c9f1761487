package org.vidimus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON (RFC 8259) as maps, lists, texts, {@code Long}, {@code Double}, {@code Boolean} and null. */
final class Json {
    /** Deeper than anything that the service sends, and far from the end of the stack. */
    private static final int MAX_DEPTH = 200;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Throws an {@code IllegalArgumentException} if the text is not JSON. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.readValue();
        if (json.peek() != 0) throw json.malformed();
        return value;
    }

    private Object readValue() {
        switch (peek()) {
            case '{':
                return readObject();
            case '[':
                return readList();
            case '"':
                return readText();
            case 't':
                return readWord("true", true);
            case 'f':
                return readWord("false", false);
            case 'n':
                return readWord("null", null);
            default:
                return readNumber();
        }
    }

    private Map<String, Object> readObject() {
        Map<String, Object> members = new LinkedHashMap<>();
        for (boolean more = open('}'); more; more = next('}')) {
            if (peek() != '"') throw malformed();
            String name = readText();
            expect(':');
            members.put(name, readValue());
        }
        return members;
    }

    private List<Object> readList() {
        List<Object> items = new ArrayList<>();
        for (boolean more = open(']'); more; more = next(']')) items.add(readValue());
        return items;
    }

    /** Whether an item follows the opening bracket. */
    private boolean open(char end) {
        at += 1;
        if (++depth > MAX_DEPTH) throw malformed();
        if (peek() != end) return true;
        return close();
    }

    /** Whether an item follows the last one. */
    private boolean next(char end) {
        if (peek() == end) return close();
        expect(',');
        return true;
    }

    private boolean close() {
        at += 1;
        depth -= 1;
        return false;
    }

    private String readText() {
        StringBuilder read = new StringBuilder();
        for (at += 1; at < text.length(); at += 1) {
            char each = text.charAt(at);
            if (each == '"') {
                at += 1;
                return read.toString();
            }
            if (each < ' ') throw malformed();
            read.append(each == '\\' ? readEscape() : each);
        }
        throw malformed();
    }

    private char readEscape() {
        at += 1;
        int simple = at < text.length() ? "\"\\/bfnrt".indexOf(text.charAt(at)) : -1;
        if (simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
        if (at + 4 >= text.length() || text.charAt(at) != 'u' || !text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
            throw malformed();
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }

    private Object readNumber() {
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at += 1;
        String number = text.substring(start, at);
        if (!number.matches("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")) throw malformed();
        return number.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
    }

    private Object readWord(String word, Object value) {
        if (!text.startsWith(word, at)) throw malformed();
        at += word.length();
        return value;
    }

    private void expect(char wanted) {
        if (peek() != wanted) throw malformed();
        at += 1;
    }

    /** The next character after white space, or 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("This is not JSON at character " + at + ".");
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                writeText(String.valueOf(member.getKey()), out.append(separator));
                write(member.getValue(), out.append(':'));
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> items) {
            out.append('[');
            String separator = "";
            for (Object item : items) {
                write(item, out.append(separator));
                separator = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            if (value instanceof Double number && !Double.isFinite(number)) throw new IllegalArgumentException("JSON has no " + number + ".");
            out.append(value);
        } else {
            writeText(value.toString(), out);
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') out.append('\\').append(each);
            else if (each < ' ') out.append(String.format("\\u%04x", (int) each));
            else out.append(each);
        }
        out.append('"');
    }
}
