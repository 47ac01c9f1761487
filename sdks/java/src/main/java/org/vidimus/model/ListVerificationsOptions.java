// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.Map;
import org.vidimus.Parameters;

/** The options of listVerifications. */
public final class ListVerificationsOptions extends Parameters<ListVerificationsOptions> {
    /** The maximum number of verifications. */
    public ListVerificationsOptions limit(Long value) { return set("limit", value); }
    /** Only verifications created before this time: the last `created_at` of the previous page. */
    public ListVerificationsOptions before(String value) { return set("before", value); }
    /** Only verifications with this status now. */
    public ListVerificationsOptions status(String value) { return set("status", value); }
    /** Only verifications that were created with this template. */
    public ListVerificationsOptions template(String value) { return set("template", value); }
    /** Only verifications created after this time. */
    public ListVerificationsOptions createdAfter(String value) { return set("created_after", value); }
    /** Only verifications created before this time. Unlike `before`, it stays the same for every page. */
    public ListVerificationsOptions createdBefore(String value) { return set("created_before", value); }
    /** Only verifications with these names and values in their metadata, whenever they were created: `metadata[order]=A-1001`. Names and values match exactly, and all of them must. */
    public ListVerificationsOptions metadata(Map<String, String> value) { return set("metadata", value); }
}
