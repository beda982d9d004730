// The page of keys and connections.
