;;; glossator-sessions.el --- The list of sessions  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Sessions of the workspace: gone on with, renamed, deleted, exported.

;;; Code:

(require 'cl-lib)
(require 'tabulated-list)
(require 'glossator-server)
(require 'glossator-answer)
(require 'glossator-chat)

(defvar glossator-sessions-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map (kbd "RET") #'glossator-resume-session)
    (define-key map "r" #'glossator-rename-session)
    (define-key map "d" #'glossator-delete-session)
    (define-key map "e" #'glossator-export-session)
    (define-key map "s" #'glossator-search-sessions)
    map)
  "Keys of the list of sessions.")

(defvar-local glossator-sessions--query ""
  "Words that the sessions of the list have.")

(define-derived-mode glossator-sessions-mode tabulated-list-mode "Glossator-Sessions"
  "Major mode of the list of sessions.
\\{glossator-sessions-mode-map}"
  (setq tabulated-list-format
        (vector (list (glossator-say "Session" "会话") 60 t)
                (list (glossator-say "Turns" "轮数") 6 nil)
                (list (glossator-say "Last" "最近") 16 t)))
  (setq-local revert-buffer-function (lambda (&rest _) (glossator-sessions--fetch)))
  (tabulated-list-init-header))

(defun glossator-sessions--fetch ()
  "Ask the server for the sessions and list them."
  (let ((buffer (current-buffer)))
    (glossator-execute-and
     "glossator.listSessions" (list :query glossator-sessions--query)
     (lambda (result _server)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (setq tabulated-list-entries
                 (mapcar #'glossator-sessions--entry (plist-get result :sessions)))
           (tabulated-list-print t)
           (unless tabulated-list-entries
             (glossator-tell (glossator-say "there are no sessions" "没有会话")))))))))

(defun glossator-sessions--entry (session)
  "Return SESSION as a line of the list."
  (list session (vector (plist-get session :title)
                        (number-to-string (plist-get session :nTurns))
                        (replace-regexp-in-string
                         "T" " " (substring (plist-get session :updatedAt) 0 16)))))

;;;###autoload
(defun glossator-list-sessions (&optional query)
  "List the sessions of this workspace; with a prefix argument, those with QUERY."
  (interactive (list (if current-prefix-arg (read-string (glossator-say "Words: " "词语：")) "")))
  (let ((server (glossator-server)))
    (pop-to-buffer (get-buffer-create "*glossator sessions*"))
    (glossator-sessions-mode)
    (setq glossator-buffer-server server
          glossator-sessions--query (or query ""))
    (glossator-sessions--fetch)))

(defun glossator-search-sessions (query)
  "List the sessions in which QUERY was said."
  (interactive (list (read-string (glossator-say "Words: " "词语："))))
  (setq glossator-sessions--query query)
  (glossator-sessions--fetch))

(defun glossator-sessions--at-point ()
  "Return the session at point."
  (or (tabulated-list-get-id)
      (user-error "%s" (glossator-say "There is no session here" "此处没有会话"))))

(defun glossator-sessions--make-turn (kept number server)
  "Return the turn KEPT with NUMBER of a session of SERVER."
  (let ((answer (glossator--make-answer :title (plist-get kept :question) :server server)))
    (glossator-complete answer kept)
    (glossator-make-turn
     :question (plist-get kept :question) :answer answer :number number :command "glossator.ask"
     :argument (list :question (plist-get kept :question))
     :attached (glossator-restore-attachments (plist-get kept :attachments)))))

(defun glossator-resume-session ()
  "Show the session at point in the chat, to go on with it."
  (interactive)
  (glossator-execute-and
   "glossator.readSession" (list :sessionId (plist-get (glossator-sessions--at-point) :sessionId))
   (lambda (result server)
     (glossator-begin-conversation
      server (plist-get result :sessionId) (plist-get result :title)
      (cl-loop for kept across (plist-get result :turns) for number from 1
               collect (glossator-sessions--make-turn kept number server)))
     (glossator-open-chat server))))

(defun glossator-sessions--change (command argument)
  "Run COMMAND with ARGUMENT on the session at point, and list anew."
  (let ((buffer (current-buffer))
        (session (glossator-sessions--at-point)))
    (glossator-execute-and
     command (append (list :sessionId (plist-get session :sessionId)) argument)
     (lambda (_result _server)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer (glossator-sessions--fetch)))))))

(defun glossator-rename-session (title)
  "Give the session at point another TITLE."
  (interactive (list (read-string (glossator-say "New title: " "新标题：")
                                  (plist-get (glossator-sessions--at-point) :title))))
  (glossator-sessions--change "glossator.renameSession" (list :title title)))

(defun glossator-delete-session ()
  "Delete the session at point for good."
  (interactive)
  (when (yes-or-no-p (format (glossator-say "Delete `%s' for good? " "永久删除 `%s'？")
                             (plist-get (glossator-sessions--at-point) :title)))
    (glossator-sessions--change "glossator.deleteSession" nil)))

(defun glossator-export-session ()
  "Show the session at point as Markdown in a buffer that can be saved."
  (interactive)
  (let ((session (glossator-sessions--at-point)))
    (glossator-execute-and
     "glossator.exportSession"
     (list :sessionId (plist-get session :sessionId) :format "markdown")
     (lambda (result _server)
       (pop-to-buffer (generate-new-buffer (concat (plist-get session :title) ".md")))
       (insert (plist-get result :text))
       (goto-char (point-min))))))

(provide 'glossator-sessions)
;;; glossator-sessions.el ends here
