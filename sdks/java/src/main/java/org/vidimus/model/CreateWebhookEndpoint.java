// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import org.vidimus.Parameters;

/** What is sent. */
public final class CreateWebhookEndpoint extends Parameters<CreateWebhookEndpoint> {
    /** Where to send events. http or https, on a public address, without user name or password. */
    public CreateWebhookEndpoint url(String value) { return set("url", value); }
    /** The events that it gets. */
    public CreateWebhookEndpoint events(List<String> value) { return set("events", value); }
    /** A note for yourself. */
    public CreateWebhookEndpoint description(String value) { return set("description", value); }
    /** Whether to send events to it from now on. */
    public CreateWebhookEndpoint enabled(Boolean value) { return set("enabled", value); }
}
