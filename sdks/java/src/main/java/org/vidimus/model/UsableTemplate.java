// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import java.util.Map;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param key What you give as `template` when you create a verification.
 * @param name A short name for people.
 * @param description What it asks and how.
 * @param version Changes whenever the template changes. A verification keeps the version it was created with.
 * @param builtIn Whether the template is part of the service. Otherwise it is your own.
 * @param claims The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter.
 * @param parameters What you can give as `parameters` when you create a verification. Absent if there is nothing to give.
 * @param expected The claims that it compares: what you have to give as `expected`. Absent if there are none.
 * @param updatedAt When you last changed it. Absent if built in.
 */
public record UsableTemplate(
    String key,
    String name,
    String description,
    String version,
    boolean builtIn,
    List<String> claims,
    Map<String, TemplateParameter> parameters,
    List<String> expected,
    String updatedAt) {}
