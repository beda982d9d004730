//! The texts in English.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText, StopText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Signed in as",
    sign_out: "Sign out",
    needs_script: "This page needs JavaScript. Switch it on in the browser.",
    loading: "Loading…",
    api: ApiText {
        title: "Allow or stop",
        explanation: "Programs and assistants that you allow can see and change things as you. Switch this off, and \
                      none of them can change anything.",
        switch: "Allow programs and assistants",
        on: "Each of them can do what you allowed it to do.",
        off: "None of them can change anything.",
        leaves: "While programs and assistants are switched off, these can still read your family’s tasks, events, \
                 shopping lists and notes: every program with a key, assistants that you connected as “Read only, \
                 without your profile”, and programs that the person who runs this server has set up for reading.",
        switched_on: "Programs and assistants are now allowed.",
        switched_off: "Programs and assistants are now switched off.",
    },
    stop: StopText {
        button: "Stop everything",
        explanation: "This also stops the reading: it deletes all your keys and disconnects all your apps and \
                      assistants. Your family’s tasks, events, lists and notes stay as they are.",
        question: "Stop everything?",
        effect: "Programs and assistants are switched off, all your keys are deleted, and all your apps and assistants \
                 are disconnected. To use one of them again, you have to set it up again. If the person who runs this \
                 server has set up a program for reading, only that person can stop it.",
        stopped: "Everything has been stopped. Deleted keys: {keys}. Disconnected apps: {connections}.",
    },
    list: ListText {
        title: "My keys",
        empty: "You have no keys.",
        failed: "The list could not be loaded and may be out of date.",
        unnamed: "Key without a name",
        key: "Begins and ends with",
        created: "Created",
        expires: "Works until",
        never_expires: "No end date",
        last_used: "Last used",
        never_used: "Never used",
        unused: "Unused for 90 days",
        revoke: "Delete",
        revoked: "The key was deleted.",
    },
    create: CreateText {
        title: "Create a key",
        explanation: "A key is a long password for one program or device, such as a tablet in the kitchen. With the \
                      key, it can do in your name what you choose below. Give each program a key of its own: then you \
                      can delete one key, and the others go on working.",
        prefilled: "A link filled in this form. Check it first: nothing is created until you press the button.",
        name: "Name",
        name_hint: "So that you recognise the key later, for example “Kitchen tablet”.",
        mode: "What may the program do?",
        api_is_off: "Programs and assistants are switched off. To create this key, switch them on at the top of this \
                     page, or choose “Read only, without your profile”.",
        expires: "How long should the key work?",
        week: "7 days",
        month: "30 days",
        quarter: "90 days",
        year: "One year",
        never: "Without an end date",
        submit: "Create key",
    },
    created: CreatedText {
        title: "Your new key",
        once: "Copy the key now, and paste it into the program. It is shown only this once.",
        copy: "Copy",
        copied: "Copied.",
        copy_failed: "The browser did not allow copying. The text is selected, so you can copy it yourself.",
        programs: "For programs",
        secret: "Ready-made settings. They contain the key, so keep them private.",
        terminal: "Terminal",
        add_to: "Add to the file",
        done: "Done, I have saved the key",
    },
    connections: ConnectionsText {
        title: "Connected apps",
        explanation: "Apps and assistants that you connected yourself. They need no key.",
        empty: "No app is connected.",
        address: "To connect an assistant such as Claude or ChatGPT, open its settings, add a connector and enter this \
                  address. If the app on your phone does not offer this, use the assistant’s website. The assistant \
                  then asks you to sign in here, and you choose what it may do.",
        unnamed: "App without a name",
        host: "Website",
        this_device: "This device",
        connected: "Connected on",
        disconnect: "Disconnect",
        disconnected: "The app was disconnected.",
        misused: "These apps were disconnected to protect you, because another person may have used their access. If \
                  you want to use one again, connect it again.",
    },
    confirm: ConfirmText {
        revoke: "Delete “{name}”?",
        revoke_effect: "The program that uses this key stops working at once. A deleted key cannot be brought back.",
        disconnect: "Disconnect “{name}”?",
        disconnect_effect: "The app stops working at once. To use it again, you have to connect it again.",
        cancel: "Cancel",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Read only, without your profile",
            explanation: "Reads tasks, events, shopping lists and notes. It also works while programs and assistants \
                          are switched off.",
        },
        v1_read: ModeText {
            name: "Read only",
            explanation: "Reads tasks, events, shopping lists and notes, and your profile with your e-mail address.",
        },
        v1_read_write: ModeText {
            name: "Read and change",
            explanation: "Also changes tasks, and changes or deletes notes.",
        },
        v1_full: ModeText {
            name: "Read, add, change and delete",
            explanation: "Also adds, changes and deletes tasks, events, shopping items and notes. Whatever was \
                          deleted can be brought back for 30 days.",
        },
        other: "Other access",
    },
    problems: ProblemsText {
        title: "This did not work",
        network: "There is no connection to the server. Check whether you are online, and try again.",
        not_signed_in: "You are not signed in.",
        signed_out: "You are no longer signed in. Nothing was changed, and what you typed is still here. \
                     Sign in again, then come back and try again.",
        sign_in: "Sign in",
        cross_site: "Nothing was done, because this page seems to have been opened from another website. \
                     Open it at its usual address.",
        api_disabled: "Programs and assistants are switched off. Switch them on at the top of this page, or choose \
                       “Read only, without your profile”.",
        not_found: "It no longer exists. The list is now up to date.",
        key_limit_reached: "You already have as many keys as possible. Delete one that you no longer need.",
        invalid: "This cannot be used:",
        maybe_created: "It is not certain whether the key was created, because the answer did not arrive. \
                        If the list of your keys now has one that you do not know, delete it before you try again.",
        rate_limited: "Too many attempts. Try again in {seconds} sec.",
        unavailable: "The server cannot answer at the moment. Try again in a minute.",
        unexpected: "Something went wrong. Try again later. If you ask for help, mention this number: {id}",
    },
};
