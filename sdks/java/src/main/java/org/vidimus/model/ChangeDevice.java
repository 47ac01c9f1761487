// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import org.vidimus.Parameters;

/** What is sent. */
public final class ChangeDevice extends Parameters<ChangeDevice> {
    /** How you recognise the device. */
    public ChangeDevice name(String value) { return set("name", value); }
    /** The keys of the templates that it may use. Each must exist. */
    public ChangeDevice allowedTemplates(List<String> value) { return set("allowed_templates", value); }
    /** What protects the end of a shift and the settings of the till. `null` removes it. It is never shown. */
    public ChangeDevice pin(String value) { return setNullable("pin", value); }
    /** Whether the screen stays on between checks. */
    public ChangeDevice keepAwake(Boolean value) { return set("keep_awake", value); }
    /** Why the till asks, as its customers read it. `null` removes it. */
    public ChangeDevice purpose(String value) { return setNullable("purpose", value); }
}
