// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import org.vidimus.model.UsableTemplateList;

/** What a verification can ask for. */
public final class TemplatesResource extends Resource {
    TemplatesResource(Connection connection) {
        super(connection);
    }

    /** List the templates that this key can use. */
    public UsableTemplateList list() {
        return connection.call(UsableTemplateList.class, new Request("GET", "/v1/templates").repeatable());
    }
}
