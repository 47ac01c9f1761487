// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import org.vidimus.Parameters;

/** What is sent. */
public final class ChangeWebhookEndpoint extends Parameters<ChangeWebhookEndpoint> {
    /** Where to send events from now on, also those that are being retried. */
    public ChangeWebhookEndpoint url(String value) { return set("url", value); }
    /** The events that it gets from now on. */
    public ChangeWebhookEndpoint events(List<String> value) { return set("events", value); }
    /** A note for yourself. */
    public ChangeWebhookEndpoint description(String value) { return set("description", value); }
    /** False stops everything that is sent to it. True starts again, whyever it was disabled. */
    public ChangeWebhookEndpoint enabled(Boolean value) { return set("enabled", value); }
}
