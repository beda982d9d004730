-- A family that is made anew, under an id that there was before, begins at another number: a client may still know an
-- entity tag of the old one.
CREATE TRIGGER families_inserted AFTER INSERT ON families BEGIN
    UPDATE families SET revision = random() & 4503599627370495 WHERE id = NEW.id;
END;

-- A row that REPLACE takes away fires no trigger of its own; its family has one member fewer.
CREATE TRIGGER users_replaced BEFORE INSERT ON users BEGIN
    UPDATE families SET revision = revision + 1
    WHERE id IN (SELECT family_id FROM users WHERE id = NEW.id OR email = NEW.email);
END;
