package org.vidimus;

/** A group of methods. */
abstract class Resource {
    final Connection connection;

    Resource(Connection connection) {
        this.connection = connection;
    }
}
