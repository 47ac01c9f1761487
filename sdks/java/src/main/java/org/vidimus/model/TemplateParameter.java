// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param type What its value is.
 * @param min The lowest integer.
 * @param max The highest integer.
 * @param enum_ The strings that it accepts.
 * @param default_ Used if you give none. Absent if you have to.
 */
public record TemplateParameter(
    String type,
    Long min,
    Long max,
    List<String> enum_,
    Object default_) {}
