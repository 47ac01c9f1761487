// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import org.vidimus.Parameters;

/** What is sent. */
public final class ComparePhoto extends Parameters<ComparePhoto> {
    /** Whether the photo shows the person who is present. */
    public ComparePhoto samePerson(Boolean value) { return set("same_person", value); }
}
