// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import org.vidimus.model.ChangeWebhookEndpoint;
import org.vidimus.model.CreateWebhookEndpoint;
import org.vidimus.model.WebhookEndpoint;
import org.vidimus.model.WebhookEndpointList;
import org.vidimus.model.WebhookEndpointSecret;

/** Receivers for the events of all verifications. */
public final class WebhookEndpointsResource extends Resource {
    WebhookEndpointsResource(Connection connection) {
        super(connection);
    }

    /** Create a webhook endpoint. */
    public WebhookEndpointSecret create(CreateWebhookEndpoint body) {
        return connection.call(WebhookEndpointSecret.class, new Request("POST", "/v1/webhook_endpoints")
            .body(body.members()));
    }

    /** List webhook endpoints, newest first. */
    public WebhookEndpointList list() {
        return connection.call(WebhookEndpointList.class, new Request("GET", "/v1/webhook_endpoints").repeatable());
    }

    /** Get a webhook endpoint. */
    public WebhookEndpoint retrieve(String id) {
        return connection.call(WebhookEndpoint.class, new Request("GET", "/v1/webhook_endpoints/{id}", id)
            .repeatable());
    }

    /** Change, disable or enable a webhook endpoint. */
    public WebhookEndpoint update(String id, ChangeWebhookEndpoint body) {
        return connection.call(WebhookEndpoint.class, new Request("PATCH", "/v1/webhook_endpoints/{id}", id)
            .repeatable()
            .body(body.members()));
    }

    /** Delete a webhook endpoint; what is waiting for it is not sent. */
    public WebhookEndpoint delete(String id) {
        return connection.call(WebhookEndpoint.class, new Request("DELETE", "/v1/webhook_endpoints/{id}", id));
    }

    /** Give a webhook endpoint a new secret; both secrets sign for 24 hours. */
    public WebhookEndpointSecret rotateSecret(String id) {
        return connection.call(WebhookEndpointSecret.class, new Request("POST", "/v1/webhook_endpoints/{id}/rotate_secret", id));
    }
}
