// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import org.vidimus.model.ChangeDevice;
import org.vidimus.model.Device;
import org.vidimus.model.DeviceList;
import org.vidimus.model.RegisterDevice;
import org.vidimus.model.RegisteredDevice;
import org.vidimus.model.RenewPairingCode;

/** Tills and tablets that create verifications with their own tokens. */
public final class DevicesResource extends Resource {
    DevicesResource(Connection connection) {
        super(connection);
    }

    /** Register a device and get a pairing code. */
    public RegisteredDevice create(RegisterDevice body) {
        return connection.call(RegisteredDevice.class, new Request("POST", "/v1/devices").body(body.members()));
    }

    /** List devices, newest first. */
    public DeviceList list() {
        return connection.call(DeviceList.class, new Request("GET", "/v1/devices").repeatable());
    }

    /** Rename a device or change its templates. */
    public Device update(String id, ChangeDevice body) {
        return connection.call(Device.class, new Request("PATCH", "/v1/devices/{id}", id)
            .repeatable()
            .body(body.members()));
    }

    /** Create a new pairing code for a device that must be paired again. */
    public RegisteredDevice renewPairingCode(String id, RenewPairingCode body) {
        return connection.call(RegisteredDevice.class, new Request("POST", "/v1/devices/{id}/pairing-code", id)
            .repeatable()
            .body(body.members()));
    }

    /** Revoke a device and all of its tokens. */
    public Device revoke(String id) {
        return connection.call(Device.class, new Request("DELETE", "/v1/devices/{id}", id).repeatable());
    }
}
